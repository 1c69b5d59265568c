import type { DeclaredOutcome, NotDone, RunOutcome } from "@bron/protocol";
import { expect, it } from "vitest";
import { z } from "zod";
import type { EffectKind } from "../../intent/effect-kinds.ts";
import { defineTool } from "../../tool/define-tool.ts";
import type { Tool } from "../../tool/tool.ts";
import { emptyRunState, type Child, type EndedAction } from "../state/run-state.ts";
import type { RunEnding } from "./ending.ts";
import { runOutcome } from "./run-outcome.ts";

const changing = (name: string, effectKind: EffectKind): Tool =>
  defineTool({
    name,
    description: name,
    input: z.object({}),
    sideEffect: true,
    effectKind,
    prepare: () => Promise.resolve({ prepared: {}, preview: "" }),
    execute: () => Promise.resolve(null),
  });
const tools = new Map(
  [
    changing("send", "send_mail"),
    changing("draft", "write_draft"),
    changing("open", "open_page"),
  ].map((tool) => [tool.name, tool] as const),
);

const did = (tool: string): EndedAction => ({
  tool,
  step: 1,
  outcome: "completed",
  isReused: false,
});
const failed = (tool: string, cause: NotDone["cause"] = "failed"): EndedAction => ({
  tool,
  step: 1,
  outcome: cause === "failed" ? "failed" : cause === "unknown" ? "unknown" : "rejected",
  isReused: false,
  notDone: { cause },
  ...(tools.has(tool) ? { notDoneReason: cause === "failed" ? "failed" : "denied" } : {}),
});
const child = (status: Child["status"], notDone = 0): Child => ({
  title: "Look",
  status,
  notDone,
  failureMode: "best_effort",
});

interface Case {
  readonly ended?: readonly EndedAction[];
  readonly declared?: DeclaredOutcome;
  readonly children?: readonly Child[];
  readonly ending?: RunEnding;
}

const stuck: RunEnding = {
  outcome: "failed",
  error: { code: "run_keeps_failing", why: { code: "no_progress", attempts: 3 } },
};

it.each<[RunOutcome, string, Case]>([
  ["done", "nothing was to be done and the model says nothing", {}],
  ["could_not", "the model says that it could not", { declared: "could_not" }],
  ["needs_answer", "the model asks something", { declared: "needs_answer", ended: [did("read")] }],
  ["done", "every change was made", { declared: "done", ended: [did("draft"), did("send")] }],
  [
    "partly_done",
    "the model says less than the ledger",
    { declared: "could_not", ended: [did("send")] },
  ],
  ["could_not", "every step failed", { declared: "done", ended: [failed("read"), failed("read")] }],
  ["could_not", "every step failed, in part", { declared: "partly_done", ended: [failed("read")] }],
  [
    "needs_answer",
    "every step failed, and it asks",
    { declared: "needs_answer", ended: [failed("read")] },
  ],
  ["done", "one of two reads failed", { declared: "done", ended: [failed("read"), did("read")] }],
  [
    "could_not",
    "the only change failed",
    { declared: "done", ended: [did("read"), failed("send")] },
  ],
  [
    "partly_done",
    "the only change failed, and the model did something else",
    { declared: "partly_done", ended: [did("read"), failed("send")] },
  ],
  [
    "partly_done",
    "one of two changes failed",
    { declared: "done", ended: [did("send"), failed("send")] },
  ],
  [
    "done",
    "a page could not be opened",
    { declared: "done", ended: [did("read"), failed("open")] },
  ],
  [
    "denied",
    "a page was denied",
    { declared: "done", ended: [did("read"), failed("open", "denied")] },
  ],
  [
    "denied",
    "the only change was denied",
    { declared: "could_not", ended: [failed("send", "denied")] },
  ],
  ["denied", "the approval was undone", { declared: "done", ended: [failed("send", "undone")] }],
  [
    "denied",
    "sending the draft was denied",
    { declared: "done", ended: [did("draft"), failed("send", "denied")] },
  ],
  [
    "partly_done",
    "one of two mails was denied",
    { declared: "done", ended: [did("send"), failed("send", "denied")] },
  ],
  ["could_not", "the policy blocked it", { declared: "done", ended: [failed("send", "blocked")] }],
  ["could_not", "the approval expired", { declared: "done", ended: [failed("send", "expired")] }],
  [
    "partly_done",
    "it may have been sent",
    { declared: "done", ended: [failed("send", "unknown")] },
  ],
  ["could_not", "the only child run failed", { declared: "done", children: [child("failed")] }],
  [
    "partly_done",
    "one of two child runs failed",
    { declared: "done", children: [child("failed"), child("completed")] },
  ],
  [
    "partly_done",
    "a child run left a change",
    { declared: "done", children: [child("completed", 1)] },
  ],
  ["could_not", "it failed", { ending: stuck, declared: "done", ended: [did("read")] }],
  ["partly_done", "it failed after a change", { ending: stuck, ended: [did("send")] }],
  ["could_not", "it was canceled", { ending: { outcome: "canceled" } }],
])("BR5 BR29 a run is %s if %s", (expected, _name, { ended = [], children = [], ...given }) => {
  const state = {
    ...emptyRunState,
    ended,
    children: new Map(children.map((one, index) => [String(index), one])),
  };
  const { ending = { outcome: "completed" }, declared } = given;
  expect(runOutcome({ state, ending, declared, tools })).toBe(expected);
});
