import { omitUndefined, defaultCaps, type Failure } from "@bron/protocol";
import { expect, it } from "vitest";
import { createDraft } from "./draft.ts";
import { emitEnd, endingOf, stepCapOf, type EndingRules } from "./ending.ts";
import { emptyRunState, type Child, type EndedAction, type RunState } from "../state/run-state.ts";

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
const failedChild = (
  failureMode: Child["failureMode"],
  status: Child["status"] = "failed",
): Partial<RunState> => ({
  children: new Map([["c", { title: "Look", status, notDone: 0, failureMode }]]),
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
  [
    "a required child run was canceled",
    failedChild("fail_fast", "canceled"),
    {},
    { error: { code: "child_failed" } },
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

it("starts as many steps as the caps allow, and no more", () => {
  const codeAt = (step: number, steps?: number) => {
    const caps = { ...defaultCaps, modelTurns: 4, ...omitUndefined({ steps }) };
    const ending = stepCapOf({ ...emptyRunState, step }, caps);
    return ending?.outcome === "failed" ? ending.error.code : ending?.outcome;
  };
  expect([3, 4].map((step) => codeAt(step))).toEqual([undefined, "cap_model_turns"]);
  expect([1, 2].map((step) => codeAt(step, 2))).toEqual([undefined, "step_limit"]);
});

const send = (
  step: number,
  outcome: EndedAction["outcome"],
  notDoneReason?: EndedAction["notDoneReason"],
): EndedAction => ({
  tool: "send",
  step,
  outcome,
  isReused: false,
  ...omitUndefined({ notDoneReason }),
});
const child = (status: Child["status"], insteadOf?: string): Child => ({
  title: "Look",
  status,
  notDone: 0,
  failureMode: "best_effort",
  ...omitUndefined({ insteadOf }),
});

it.each<[string, readonly EndedAction[], readonly Child[], number | undefined]>([
  ["everything was done", [send(1, "completed")], [child("completed")], undefined],
  [
    "a later step did what failed",
    [send(1, "failed", "failed"), send(2, "completed")],
    [],
    undefined,
  ],
  ["the same step did another one", [send(1, "failed", "failed"), send(1, "completed")], [], 1],
  [
    "a later step prepared it",
    [send(1, "failed", "unproposed"), send(1, "failed", "unproposed"), send(2, "completed")],
    [],
    undefined,
  ],
  [
    "the same step prepared another one",
    [send(1, "failed", "unproposed"), send(1, "completed")],
    [],
    1,
  ],
  ["a denied one is done later", [send(1, "rejected", "denied"), send(2, "completed")], [], 1],
  ["a child run failed", [], [child("failed")], 1],
  ["a child run did it instead", [], [child("failed"), child("completed", "0")], undefined],
  ["the one that was to do it instead failed", [], [child("failed"), child("failed", "0")], 2],
])("BR18 counts what a completed run did not do: %s", (_name, ended, children, notDone) => {
  const byId = new Map(children.map((one, index) => [String(index), one]));
  const draft = createDraft({ ...emptyRunState, ended, children: byId }, 0, { uuid: () => "" });
  emitEnd(draft, { outcome: "completed" }, "done");
  expect(draft.events.at(-1)?.payload).toEqual({
    status: "completed",
    ...omitUndefined({ notDone }),
    outcome: "done",
  });
});
