import { defaultCaps, type Failure } from "@bron/protocol";
import { expect, it } from "vitest";
import { endingOf, type EndingRules } from "./ending.ts";
import { emptyRunState, type Child, type RunState } from "./run-state.ts";

const rules: EndingRules = {
  caps: { ...defaultCaps, activeMs: 60_000, toolCalls: 2 },
  tools: new Map(),
  activeMs: 0,
  giveUpError: undefined,
};
const silent: Failure = {
  code: "model_timeout",
  why: { code: "model_silent", model: "m", seconds: 1 },
};
const stuck: Failure = {
  code: "run_keeps_failing",
  why: { code: "no_progress", attempts: 3 },
};
const failedChild = (failureMode: Child["failureMode"]): Partial<RunState> => ({
  children: new Map([["c", { title: "Look", status: "failed", notDone: 0, failureMode }]]),
});

it.each<[string, Partial<RunState>, Partial<EndingRules>, object | undefined]>([
  ["nothing is wrong", {}, {}, undefined],
  ["the owner canceled it", { cancelRequested: true }, {}, { outcome: "canceled" }],
  ["workers keep failing", {}, { giveUpError: stuck }, { outcome: "failed", error: stuck }],
  [
    "its time is over",
    {},
    { activeMs: 60_000 },
    { error: { code: "cap_time", why: { code: "time_limit", minutes: 1 } } },
  ],
  ["the model failed", { modelFailure: silent }, {}, { outcome: "failed", error: silent }],
  [
    "a required child run failed",
    failedChild("fail_fast"),
    {},
    { error: { code: "child_failed", why: { code: "child_failed", title: "Look" } } },
  ],
  ["another child run failed", failedChild("best_effort"), {}, undefined],
  [
    "there were too many tool calls",
    { toolCalls: 3 },
    {},
    { error: { why: { code: "tool_call_limit", asked: 3, limit: 2 } } },
  ],
])("ends a run early only if it must: %s", (_name, state, changed, ending) => {
  const found = endingOf({ ...emptyRunState, ...state }, { ...rules, ...changed });
  if (ending === undefined) expect(found).toBeUndefined();
  else expect(found).toMatchObject(ending);
});

it("lets a run with its final message complete, unless it was canceled or given up", () => {
  const state = { ...emptyRunState, hasFinalMessage: true, toolCalls: 3, modelFailure: silent };
  const late = { ...rules, activeMs: 60_000 };
  expect(endingOf(state, late)).toBeUndefined();
  expect(endingOf(state, { ...late, giveUpError: stuck })).toEqual({
    outcome: "failed",
    error: stuck,
  });
  expect(endingOf({ ...state, cancelRequested: true }, late)).toEqual({ outcome: "canceled" });
});
