import { expect, it } from "vitest";
import { isErrorCode } from "./errors.ts";
import type { NewEvent } from "./events.ts";
import { upgradeEvent } from "./upgrade-event.ts";

const usage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0, costMicrousd: 0 };

/** Every place of a log that has the code of a failed run or model call. */
const eventsWith = (code: string): unknown[] => [
  { type: "status", payload: { status: "failed", code } },
  {
    type: "child_run",
    payload: { childRunId: "1", title: "Look", status: "failed", error: { code } },
  },
  {
    type: "usage",
    payload: { step: 1, attempt: 1, model: "m", outcome: "lost", ...usage, error: { code } },
  },
  { type: "log", payload: { level: "warn", kind: "model_retry", error: { code }, delayMs: 1 } },
  {
    type: "ui",
    payload: {
      kind: "RunSummaryCard",
      payload: {
        outcome: "failed",
        did: [],
        notDone: [],
        error: { code },
        unfinished: [{ title: "Look", status: "failed", error: { code } }],
      },
    },
  },
  {
    type: "ui",
    payload: { kind: "RunSummaryCard", payload: { outcome: "failed", highlights: [], code } },
  },
];

const upgradeAll = (events: unknown[]) => events.map((event) => upgradeEvent(event as NewEvent));

it.each([
  ["model_nonsense", "model_response_invalid"],
  ["model_runaway", "model_response_too_long"],
  ["run_poisoned", "run_keeps_failing"],
])("replaces the code %s by %s", (old, renamed) => {
  expect(isErrorCode(renamed)).toBe(true);
  expect(upgradeAll(eventsWith(old))).toEqual(eventsWith(renamed));
});

it("renames what an approval had before version 6", () => {
  const ids = { approvalId: "p", actionId: "a", effectId: "e", tool: "send", digest: "d" };
  const diff = [{ field: "to", before: "ann", after: "eva" }];
  const approval = (payload: object) => ({ type: "approval", payload: { ...ids, ...payload } });
  expect(
    upgradeAll([
      approval({ state: "requested", reason: "It leaves.", difference: diff }),
      approval({ state: "requested" }),
      approval({ state: "denied", reason: "no", answer: "shorter" }),
    ]),
  ).toEqual([
    approval({ state: "pending", reasons: ["It leaves."], diff }),
    approval({ state: "pending", reasons: [] }),
    approval({ state: "denied", reason: "no", reply: "shorter" }),
  ]);
  const current = [
    approval({ state: "pending", reasons: [{ code: "rule_asks" }], diff }),
    approval({ state: "denied", reply: "shorter" }),
  ];
  expect(upgradeAll(current)).toEqual(current);
});

it("renames the partial text of a summary", () => {
  const summary = (payload: object) => ({
    type: "ui",
    payload: { kind: "RunSummaryCard", payload: { outcome: "failed", ...payload } },
  });
  const current = [
    summary({ did: [], notDone: [], partialText: "So far" }),
    summary({ highlights: [], partialText: "So far" }),
  ];
  expect(
    upgradeAll([
      summary({ did: [], notDone: [], partialAnswer: "So far" }),
      summary({ highlights: [], partialAnswer: "So far" }),
    ]),
  ).toEqual(current);
  expect(upgradeAll(current)).toEqual(current);
});

it("keeps codes that have not changed", () => {
  const events = eventsWith("model_timeout");
  expect(upgradeAll(events)).toEqual(events);
});

it("keeps text and outputs that contain an old code", () => {
  const events = [
    { type: "status", payload: { status: "failed", code: "internal", message: "run_poisoned" } },
    {
      type: "tool",
      payload: {
        phase: "end",
        actionId: "1",
        name: "read",
        outcome: "completed",
        output: { code: "run_poisoned", error: { code: "model_nonsense" } },
      },
    },
    { type: "log", payload: { level: "info", message: "model_runaway" } },
  ];
  expect(upgradeAll(events)).toEqual(events);
});
