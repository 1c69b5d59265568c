import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import { emptyRunResult, type ApprovalView, type EventView } from "@bron/protocol";
import { expect, test } from "vitest";
import { showAndAsk } from "./ask-in-place.ts";
import { createFakeTerminal } from "./fake-terminal.fixture.ts";
import type { Terminal } from "./terminal.ts";

const runId = "3f9a1c20-1111-4222-8333-444455556666";
const approval = {
  id: "1b2c3d4e-1111-4222-8333-444455556666",
  runId,
  actionId: "a",
  tool: "gmail_send",
  group: null,
  state: "pending",
  digest: `sha256:${"ab".repeat(32)}`,
  preview: "To: eva@x.example",
  prepared: { to: ["eva@x.example"] },
  risks: [],
  diff: [],
  reasons: [],
  editable: { to: ["eva@x.example"], subject: "Old" },
  undoUntil: null,
  kind: "mail",
  createdAt: "2026-11-15T12:00:00Z",
  decidedAt: null,
} as unknown as ApprovalView;

interface Asking {
  readonly approvals?: readonly ApprovalView[];
  readonly question?: unknown;
  readonly refusal?: BronError;
  readonly undoUntil?: string;
}

/** A run that waits for the owner until something is decided or answered. */
function waitingRun({ approvals = [], question, refusal, undoUntil }: Asking) {
  const calls: [key: string, body: unknown][] = [];
  let isOpen = true;
  const run = () => ({
    id: runId,
    status: isOpen ? "awaiting_confirmation" : "completed",
    waitsFor: isOpen ? { kind: question === undefined ? "approval" : "question" } : null,
    parentRunId: null,
    lastSeq: 3,
    createdAt: "2026-11-15T12:00:00Z",
    startedAt: null,
    finishedAt: null,
    spentMicrousd: 0,
    ...emptyRunResult,
    outcome: "done",
  });
  const call = async (key: string, { body }: { body?: unknown } = {}) => {
    if (key === "GET /api/runs/:id") return run();
    if (key === "GET /api/runs/:id/actions") return { actions: [] };
    if (key === "GET /api/about") return { demoModel: false };
    calls.push([key, body]);
    if (refusal) throw refusal;
    isOpen = false;
    return { ...approval, undoUntil: undoUntil ?? null, approve: [], deny: [] };
  };
  const client = {
    call,
    list: async (key: string) => (key === "GET /api/questions" ? [question] : approvals),
    events: async function* (): AsyncGenerator<EventView, void> {},
  } as unknown as Client;
  return { calls, reached: { client, by: { url: "x" }, demoTasks: async () => [] } };
}

async function answering(
  asking: Asking,
  typed: readonly string[],
  overrides: Partial<Terminal> = {},
  shown: { readonly json?: boolean } = {},
) {
  const left = [...typed];
  const next = () => left.shift() ?? "";
  const terminal = createFakeTerminal({
    isLive: true,
    canAsk: true,
    ask: async (question) => {
      terminal.err(question);
      return next();
    },
    askWords: async () => ({ words: next(), pasted: [] }),
    ...overrides,
  });
  const { calls, reached } = waitingRun(asking);
  const code = await showAndAsk(terminal, reached, { runId, afterSeq: 0, json: false, ...shown });
  return { code, calls, shown: terminal.shown() };
}

const one = { approvals: [approval] };
const { digest } = approval;

test.each<[string[], [string, unknown]]>([
  [["a"], ["POST /api/approvals/:id/approve", { digest }]],
  [["yes"], ["POST /api/approvals/:id/approve", { digest }]],
  [
    ["x", "deny"],
    ["POST /api/approvals/:id/deny", { digest }],
  ],
  [
    ["r", "shorter"],
    ["POST /api/approvals/:id/reply", { digest, words: "shorter" }],
  ],
  [
    ["e", "2", "New", "to", "eva@x.example, tom@x.example", ""],
    [
      "POST /api/approvals/:id/edit",
      { digest, changes: { subject: "New", to: ["eva@x.example", "tom@x.example"] } },
    ],
  ],
])("the answer %j to an approval is sent with the digest that was shown", async (typed, call) => {
  const { code, calls, shown } = await answering(one, typed);
  expect(calls).toEqual([call]);
  expect(code).toBe(0);
  expect(shown).toContain("[a]pprove & send, [e]dit, [d]eny, [r]equest changes, [l]ater:");
});

test.each([["l"], [""]])(
  "%j leaves the approval for later, and says how to decide",
  async (typed) => {
    const { code, calls, shown } = await answering(one, [typed]);
    expect({ code, calls }).toEqual({ code: 3, calls: [] });
    expect(shown).toContain(
      "Waiting for your approval (run 3f9a1c20). Decide: bron approvals show",
    );
  },
);

test.each<[string, Partial<Terminal>, { readonly json?: boolean }]>([
  ["no keyboard", { canAsk: false }, {}],
  ["an output that is not a terminal", { isLive: false }, {}],
  ["--json", {}, { json: true }],
])("nobody is asked with %s", async (_name, overrides, how) => {
  const ask = () => expect.unreachable("It asked.");
  const { code, calls } = await answering(one, [], { ask, askWords: ask, ...overrides }, how);
  expect({ code, calls }).toEqual({ code: 3, calls: [] });
});

test("a refused decision says why, and the person is asked again", async () => {
  const refusal = new BronError("invalid_input", "subject must not be empty");
  const { calls, shown } = await answering({ ...one, refusal }, ["e", "2", "", "", "l"]);
  expect(calls).toHaveLength(1);
  expect(shown).toContain("subject must not be empty");
});

test("the undo time counts down, and a key undoes the approval", async () => {
  const said: string[] = [];
  const { calls, shown } = await answering({ ...one, undoUntil: "2026-11-15T12:00:05Z" }, ["a"], {
    waitForKey: async (key, { ms, say }) => {
      said.push(`${key} ${ms} ${say(5)}`);
      return true;
    },
  });
  expect(said).toEqual(["u 5000 Sending in 5s. Press u to undo."]);
  expect(calls.map(([key]) => key)).toEqual([
    "POST /api/approvals/:id/approve",
    "POST /api/approvals/:id/undo",
  ]);
  expect(shown).toContain("Undone. Nothing was sent.");
});

test.each<[string, unknown]>([
  ["2", { choice: 2 }],
  ["Sunday", { typed: "Sunday" }],
  ["3", { typed: "3" }],
])("a question is answered in place with %j", async (typed, body) => {
  const question = { id: "q", runId, text: "Which day?", choices: ["Monday", "Friday"] };
  const { calls, shown } = await answering({ question }, [typed]);
  expect(calls).toEqual([["POST /api/questions/:id/answer", body]]);
  expect(shown).toContain("Which day?\n  1. Monday\n  2. Friday\n");
});

test("several approvals are decided together", async () => {
  const group = `${runId}:2:mail`;
  const approvals = [
    { ...approval, group },
    { ...approval, id: "2b2c3d4e-1111-4222-8333-444455556666", actionId: "b", group },
  ];
  const { calls, shown } = await answering({ approvals }, ["a"]);
  expect(shown).toContain("Send 2 emails? [a]pprove all 2, [o]ne by one, [d]eny all:");
  expect(calls).toEqual([
    [
      "POST /api/approvals/batch",
      { approve: approvals.map(({ id }) => ({ id, digest })), deny: [] },
    ],
  ]);
});
