import type { EventView, JsonObject } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { describeToolSetDiff } from "../words/tools.ts";
import { emptyTimeline, applyEvents } from "./timeline.ts";

const at = { runId: "r", createdAt: "2026-11-15T12:00:00.000Z" };
const log: EventView[] = [
  { ...at, seq: 1, type: "status", payload: { status: "queued" } },
  { ...at, seq: 2, type: "message", payload: { role: "user", content: "find it" } },
  {
    ...at,
    seq: 3,
    type: "step",
    payload: {
      phase: "end",
      step: 1,
      attempt: 1,
      finish: "tool-calls",
      calls: [{ actionId: "a", callId: "c", tool: "gmail_search", input: { query: "invoice" } }],
    },
  },
  {
    ...at,
    seq: 4,
    type: "tool",
    payload: { phase: "start", actionId: "a", name: "gmail_search", attempt: 1 },
  },
  {
    ...at,
    seq: 5,
    type: "log",
    payload: { level: "info", kind: "progress", message: "Still searching…", actionId: "a" },
  },
  {
    ...at,
    seq: 6,
    type: "tool",
    payload: {
      phase: "end",
      actionId: "a",
      name: "gmail_search",
      outcome: "completed",
      output: { found: 1 },
      label: { origin: "mail", trusted: false, private: true, readers: [] },
    },
  },
  { ...at, seq: 7, type: "status", payload: { status: "awaiting_confirmation" } },
  {
    ...at,
    seq: 8,
    type: "usage",
    payload: {
      step: 1,
      attempt: 1,
      model: "m",
      outcome: "settled",
      inputTokens: 5,
      outputTokens: 2,
      reasoningTokens: 0,
      costMicrousd: 30,
    },
  },
  { ...at, seq: 9, type: "status", payload: { status: "completed" } },
];
const toolEnd = {
  phase: "end",
  actionId: "b",
  name: "web_fetch",
  outcome: "completed",
  output: "words",
} as const;

describe("the timeline of a run", () => {
  it("BR2 has one item per tool call, from start to result, with the origin of the output", () => {
    const timeline = applyEvents(emptyTimeline, log);
    expect(timeline.items).toEqual([
      { kind: "user", key: "2", text: "find it" },
      {
        kind: "tool",
        key: "a",
        tool: "gmail_search",
        input: { query: "invoice" },
        state: "completed",
        startedAt: at.createdAt,
        endedAt: at.createdAt,
        output: { found: 1 },
        progress: log[4]?.payload,
        origin: "mail",
      },
      { kind: "status", key: "7", status: "awaiting_confirmation", at: at.createdAt },
    ]);
    expect(timeline).toMatchObject({
      status: "completed",
      seq: 9,
      inputTokens: 5,
      outputTokens: 2,
      costMicrousd: 30,
      endedStep: 1,
      active: { ms: 0, since: undefined },
    });
  });

  it("BR7 is the same however often events arrive and however they are batched", () => {
    const twice = log.flatMap((event, index) => [event, ...log.slice(0, index)]);
    expect(
      twice.reduce((timeline, event) => applyEvents(timeline, [event]), emptyTimeline),
    ).toEqual(applyEvents(emptyTimeline, log));
    const complete = applyEvents(emptyTimeline, log);
    expect(applyEvents(complete, log)).toBe(complete);
  });

  it("BR2 shows the progress of a running tool", () => {
    expect(applyEvents(emptyTimeline, log.slice(0, 5)).items.at(-1)).toMatchObject({
      kind: "tool",
      state: "running",
      progress: { kind: "progress", message: "Still searching…" },
    });
  });

  it("shows what the owner says meanwhile as waiting until Bron has heard it", () => {
    const said = { messageId: "m1", content: "In French, please." };
    const waiting = applyEvents(emptyTimeline, [
      ...log.slice(0, 4),
      { ...at, seq: 5, type: "owner_message", payload: { ...said, by: "local" } },
    ]);
    expect(waiting.items.at(-1)).toMatchObject({
      kind: "user",
      text: said.content,
      isWaiting: true,
    });
    const heard = applyEvents(waiting, [
      { ...at, seq: 6, type: "message", payload: { role: "user", ...said } },
    ]);
    expect(heard.items).toHaveLength(waiting.items.length);
    expect(heard.items.at(-1)).toEqual({ kind: "user", key: "m1", text: said.content });
  });

  it("says which tools a run gained and lost, but not which it had first", () => {
    const set = (seq: number, tools: Readonly<Record<string, string>>): EventView => ({
      ...at,
      seq,
      type: "tool_set",
      payload: { tools },
    });
    const { items } = applyEvents(emptyTimeline, [
      set(1, { clock: "1", gmail_send: "2" }),
      set(2, { clock: "3", web_fetch: "4" }),
    ]);
    expect(items).toEqual([
      {
        kind: "tools",
        key: "2",
        added: ["web_fetch"],
        removed: ["gmail_send"],
        changed: ["clock"],
      },
    ]);
    expect(items.map((item) => (item.kind === "tools" ? describeToolSetDiff(item) : ""))).toEqual([
      "New tools: reading a web page. No longer available: sending an email. Updated tools: checking the time.",
    ]);
  });

  it("BR18 does not repeat in a line that a result was reused", () => {
    const payload = {
      level: "info",
      kind: "reused",
      tool: "t",
      runId: "r0",
      isUnknown: false,
    } as const;
    const reused: EventView = {
      ...at,
      seq: 1,
      type: "log",
      payload: { ...payload, actionId: "a" },
    };
    expect(applyEvents(emptyTimeline, [reused]).items).toEqual([]);
  });

  it("X3 marks output without a label as untrusted, and leaves trusted output unmarked", () => {
    const [unlabeled, trusted] = [
      toolEnd,
      {
        ...toolEnd,
        label: { origin: "system", trusted: true, private: false, readers: [] },
      } as const,
    ].map(
      (payload) => applyEvents(emptyTimeline, [{ ...at, seq: 1, type: "tool", payload }]).items[0],
    );
    expect(unlabeled).toMatchObject({ origin: "tool" });
    expect(trusted).not.toHaveProperty("origin");
  });

  it("leaves out a summary that says no more than that the run is done", () => {
    const itemsFor = (payload: JsonObject) =>
      applyEvents(emptyTimeline, [
        { ...at, seq: 1, type: "ui", payload: { kind: "RunSummaryCard", payload } },
      ]).items;
    const done = { outcome: "succeeded", did: [], notDone: [] };
    expect(itemsFor(done)).toEqual([]);
    expect(itemsFor({ ...done, outcome: "canceled" })).toHaveLength(1);
    expect(itemsFor({ ...done, notDone: [{ tool: "a", cause: "denied" }] })).toHaveLength(1);
  });

  it("says which program a step waits for, until it has its result", () => {
    const until = "2026-11-15T12:05:00.000Z";
    const waiting: EventView = {
      ...at,
      seq: 5,
      type: "client_action",
      payload: { actionId: "a", state: "pending", program: "page", expiresAt: until },
    };
    const taken: EventView = {
      ...at,
      seq: 6,
      type: "client_action",
      payload: { actionId: "a", state: "taken" },
    };
    const open = applyEvents(emptyTimeline, [...log.slice(0, 4), waiting, taken]);
    expect(open.items.at(-1)).toMatchObject({
      state: "running",
      client: { program: "page", until },
    });
    const end = { ...log[5]!, seq: 7 };
    expect(applyEvents(open, [end]).items.at(-1)).not.toHaveProperty("client");
  });

  it("BR2 applies five thousand events with one copy", () => {
    const many: EventView[] = Array.from({ length: 5_000 }, (_, index) => ({
      ...at,
      seq: index + 1,
      type: "log",
      payload: { level: "info", message: `line ${index}` },
    }));
    let copies = 0;
    const counted = {
      ...emptyTimeline,
      get items() {
        copies += 1;
        return [];
      },
    };
    expect(applyEvents(counted, many).items).toHaveLength(5_000);
    // Once for the spread of the timeline, once for the list itself.
    expect(copies).toBeLessThanOrEqual(2);
  });
});

it("shows the risks of a draft that was not asked about, before and after it is written", () => {
  const risk = {
    kind: "host" as const,
    value: "evil.example",
    why: { code: "link_not_mentioned" as const, host: "evil.example" },
    from: [],
    notes: [],
  };
  const of = { actionId: "a", tool: "gmail_draft_create" };
  const call = { phase: "start", actionId: "a", name: of.tool, attempt: 1 } as const;
  const end = { phase: "end", actionId: "a", name: of.tool, outcome: "completed" } as const;
  const effect = { ...of, effectId: "e", state: "approved" as const, digest: "d", risks: [risk] };
  const events: EventView[] = [
    { ...at, seq: 1, type: "effect", payload: effect },
    { ...at, seq: 2, type: "tool", payload: call },
    { ...at, seq: 3, type: "tool", payload: end },
  ];
  for (const count of [2, 3]) {
    const { items } = applyEvents(emptyTimeline, events.slice(0, count));
    expect(items).toMatchObject([{ kind: "tool", risks: { runId: "r", risks: [risk] } }]);
  }
});
