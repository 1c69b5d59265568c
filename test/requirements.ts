// Every promise that Bron makes, with a stable id. Tests cite ids in their titles.
// requirements.test.ts fails if no test cites a requirement that is done.
interface Requirement {
  readonly id: string;
  readonly title: string;
  readonly state: "planned" | "done";
}

export const requirements: readonly Requirement[] = [
  // The agent runtime over HTTP
  { id: "RT1", title: "answers a prompt once or streams it as NDJSON", state: "done" },
  { id: "RT2", title: "needs an authenticated session on both routes", state: "done" },
  {
    id: "RT3",
    title: "takes prompt, thread, conversation and attached context within bounds",
    state: "done",
  },
  {
    id: "RT4",
    title: "answers with the run's ids, status, mode, tool, approval and output",
    state: "done",
  },
  {
    id: "RT5",
    title: "streams typed lines and exactly one result or error, then closes",
    state: "done",
  },
  { id: "RT6", title: "keeps the states of runs and actions, mapped in one table", state: "done" },
  {
    id: "RT7",
    title: "authenticates, persists, builds the instruction and loops over tool calls",
    state: "done",
  },
  {
    id: "RT8",
    title: "ends at AGENT_MAX_LOOP_STEPS with step_limit, the partial answer and a card",
    state: "done",
  },
  {
    id: "RT9",
    title: "offers the twelve tools for mail, calendar, memory and Slack",
    state: "done",
  },
  { id: "RT10", title: "asks by trust level: supervised, delegated, autonomous", state: "done" },
  {
    id: "RT11",
    title: "denies every side effect when AGENT_SIDE_EFFECTS_ENABLED is false",
    state: "done",
  },
  { id: "RT12", title: "persists runs, actions, threads, approvals and audit", state: "done" },
  {
    id: "RT13",
    title: "fails fast and visibly on bad arguments, unknown tools and missing credentials",
    state: "done",
  },
  // Bron, personal background agents
  {
    id: "BR1",
    title: "lists Brons with avatar, status, latest run and live changes",
    state: "done",
  },
  {
    id: "BR2",
    title: "shows a run: composer, timeline, cards, approve, edit and deny",
    state: "done",
  },
  { id: "BR3", title: "does the Gmail task in eight visible steps with its cards", state: "done" },
  {
    id: "BR4",
    title: "serves the pages /, /brons, /brons/:id, /runs/:id, /tasks and /threads/:id",
    state: "done",
  },
  {
    id: "BR5",
    title:
      "runs in the background, through leaving users and dying processes, and ends with an outcome",
    state: "done",
  },
  {
    id: "BR6",
    title: "streams events by SSE with resume, heartbeat, polling and an owner stream",
    state: "done",
  },
  {
    id: "BR7",
    title: "reconnects in the client with backoff, offline state and polling",
    state: "done",
  },
  {
    id: "BR8",
    title: "keeps the seed's tables, with all database access in one place",
    state: "done",
  },
  {
    id: "BR9",
    title: "serves the API of brons, runs, events, uploads, gmail and approve-send",
    state: "done",
  },
  {
    id: "BR10",
    title: "limits rates per user and address, with 429 and Retry-After",
    state: "done",
  },
  {
    id: "BR11",
    title: "discovers, checks and loads skills on demand, with the PRD's three",
    state: "done",
  },
  {
    id: "BR12",
    title:
      "has the gmail, web_fetch, emit_ui, spawn_bron and await_bron tools, and no token in the model's hands",
    state: "done",
  },
  {
    id: "BR13",
    title:
      "refuses to send without a matching one-time approval token, or outside a hard recipient allowlist",
    state: "done",
  },
  { id: "BR14", title: "parks on approval and sends in a second execution", state: "done" },
  {
    id: "BR15",
    title: "updates memory after every run, with nothing from mail unless confirmed",
    state: "done",
  },
  {
    id: "BR16",
    title: "runs children with failure modes, at most three, and says what failed",
    state: "done",
  },
  {
    id: "BR17",
    title: "extracts documents within soft and hard limits, with partial results",
    state: "done",
  },
  {
    id: "BR18",
    title: "keeps artifacts on failure, retries as a new run, sends at most once per approval",
    state: "done",
  },
  { id: "BR19", title: "has the events, cards and envelope of the seed", state: "done" },
  {
    id: "BR20",
    title: "refreshes OAuth, parks as needs_auth, retries with backoff, never blindly",
    state: "done",
  },
  {
    id: "BR21",
    title: "caps time, turns, calls, children and sizes per run, and names the cap",
    state: "done",
  },
  { id: "BR22", title: "parses attachments isolated: limits, no network, no code", state: "done" },
  { id: "BR23", title: "gives structured logs, traces and the run metrics", state: "done" },
  {
    id: "BR24",
    title: "creates under 300 ms, shows events under 1 s, holds the other speeds",
    state: "done",
  },
  {
    id: "BR25",
    title:
      "has the later phases: cancel, export of artifacts, per-user model keys, tool permissions page, audit page",
    state: "planned",
  },
  {
    id: "BR26",
    title: "explains OAuth consent before asking, with the least scopes",
    state: "done",
  },
  {
    id: "BR27",
    title: "starts runs by schedules and watches, each occasion exactly once",
    state: "done",
  },
  {
    id: "BR28",
    title: "uses tools of MCP servers, and is an MCP server that can start and read tasks",
    state: "done",
  },
  {
    id: "BR29",
    title: "shows a conversation on one page, with steering and questions answered in place",
    state: "done",
  },
  {
    id: "BR30",
    title: "deletes and retains by span: contents go, digests and the audit log stay",
    state: "planned",
  },
  {
    id: "BR31",
    title: "notifies the owner by web push, email and signed webhooks, with quiet hours",
    state: "planned",
  },
  {
    id: "BR32",
    title: "serves several people: OIDC sign-in, invitations, roles, separate contents",
    state: "planned",
  },
  {
    id: "BR33",
    title: "holds owner budgets by day and month, never exceeded by one call",
    state: "done",
  },
  // The sidecar
  {
    id: "SC1",
    title: "speaks abp/v0.1 as JSONL over stdio: hello, run, events, one final",
    state: "planned",
  },
  {
    id: "SC2",
    title: "writes hello and receipts valid against the contract's schemas",
    state: "planned",
  },
  { id: "SC3", title: "maps the Claude dialect to Gemini", state: "planned" },
  { id: "SC4", title: "validates in two stages, the facade first", state: "planned" },
  { id: "SC5", title: "raises E001 to E007 with all their fields", state: "planned" },
  {
    id: "SC6",
    title: "emulates hooks, checkpoints, memory, resume and MCP, and declares the rest unsupported",
    state: "planned",
  },
  {
    id: "SC7",
    title: "enforces policy before execution, with safe paths, network and shell",
    state: "planned",
  },
  {
    id: "SC8",
    title: "writes receipts with a verifiable hash, usage, trace and warnings",
    state: "planned",
  },
  {
    id: "SC9",
    title: "runs on the built-in runtime, the Gemini CLI or a custom module",
    state: "planned",
  },
  {
    id: "SC10",
    title: "spills large outputs to files whose names cannot collide or escape",
    state: "planned",
  },
  // The session runtime
  {
    id: "SR1",
    title: "keeps AgentProtocol: send, subscribe, abort, replay, one agent_end",
    state: "planned",
  },
  {
    id: "SR2",
    title: "routes models, sticky for a tool sequence, after masking",
    state: "planned",
  },
  { id: "SR3", title: "falls back by availability and always ends", state: "planned" },
  {
    id: "SR4",
    title: "truncates and masks outputs, idempotently, and stores the masked view",
    state: "planned",
  },
  { id: "SR5", title: "detects loops in tools and text, in two strikes", state: "planned" },
  {
    id: "SR6",
    title: "runs hooks at eleven points with the documented exit codes",
    state: "planned",
  },
  {
    id: "SR7",
    title: "runs subagents with limits, recovery and approvals on the root",
    state: "planned",
  },
  { id: "SR8", title: "rewinds messages, never effects or spending", state: "planned" },
  { id: "SR9", title: "schedules tools in parallel where safe, MCP too", state: "planned" },
  {
    id: "SR10",
    title: "has three surfaces: non-interactive, subagents, interactive terminal",
    state: "planned",
  },
  {
    id: "SR11",
    title: "runs the same protocol on ADK behind a flag, proved by a parity suite",
    state: "planned",
  },
  {
    id: "SR12",
    title: "has workspace tools in a jail, with snapshots and restore",
    state: "planned",
  },
  {
    id: "SR13",
    title: "reads settings by a published schema, and a folder's files only once they are trusted",
    state: "done",
  },
  { id: "SR14", title: "is driven by editors through ACP over stdio", state: "planned" },
  // The page agent
  { id: "PA1", title: "puts a chat on any page by one tag or import", state: "planned" },
  { id: "PA2", title: "gives page state as fresh context, not as a tool", state: "planned" },
  { id: "PA3", title: "offers generic and semantic tools from the page", state: "planned" },
  {
    id: "PA4",
    title: "exchanges sendMessage and submitToolResults in the seed's shapes",
    state: "planned",
  },
  {
    id: "PA5",
    title: "is stateless on the server, with signed history and no key in the browser",
    state: "planned",
  },
  {
    id: "PA6",
    title: "reads .jay-action files and checks handlers against them",
    state: "planned",
  },
  { id: "PA7", title: "reads config/.gemini.yaml, which setup writes", state: "planned" },
  { id: "PA8", title: "is a real Jay plugin with an example app", state: "planned" },
  { id: "PA9", title: "publishes to and takes from WebMCP", state: "planned" },
  {
    id: "PA10",
    title: "holds step limit, abort, sizes, masking and approvals the page cannot click",
    state: "planned",
  },
  {
    id: "PA11",
    title: "serves registered sites to anonymous, rated and budgeted visitors",
    state: "planned",
  },
  // Unique to Bron
  { id: "X1", title: "sends exactly what was approved, once", state: "done" },
  {
    id: "X2",
    title: "survives a kill anywhere: nothing doubled, nothing lost in silence",
    state: "done",
  },
  { id: "X3", title: "withstands a model that obeys the attacker", state: "done" },
  {
    id: "X4",
    title: "keeps rules and provenance through compaction, children and restart",
    state: "planned",
  },
  { id: "X5", title: "proves any run offline by chained, signed receipts", state: "planned" },
  { id: "X6", title: "cannot overspend, not even by one call", state: "done" },
  { id: "X7", title: "stops as a fence over the whole tree of runs", state: "done" },
  { id: "X8", title: "works with one command, no key and no network", state: "done" },
  { id: "X9", title: "runs nothing when an untrusted folder is opened", state: "done" },
];
