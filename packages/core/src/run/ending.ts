import type { Caps, JsonObject } from "@bron/protocol";
import { omitUndefined, errorTable } from "@bron/protocol";
import type { CodedError } from "../ports.ts";
import type { Tool } from "../tool/tool.ts";
import type { Draft } from "./draft.ts";
import type { Child, EndedAction, RunState } from "./run-state.ts";

/** Why a run must end before its answer. */
export type Ending =
  | { readonly outcome: "canceled" }
  | { readonly outcome: "failed"; readonly error: CodedError };

export interface EndingRules {
  readonly caps: Caps;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly activeMs: number;
  /** Set when workers failed on the run again and again: it ends, and only effects in doubt are still looked into. */
  readonly givenUp: CodedError | undefined;
}

/** The stop conditions, in the order in which they win. */
export function endingOf(
  state: RunState,
  { caps, tools, activeMs, givenUp }: EndingRules,
): Ending | undefined {
  if (state.cancelRequested) return { outcome: "canceled" };
  if (givenUp) return { outcome: "failed", error: givenUp };
  if (state.answered) return undefined;
  if (activeMs >= caps.activeMs)
    return failed(
      "cap_time",
      `It worked for ${Math.round(caps.activeMs / 60_000)} minutes, the most that one run may.`,
    );
  if (state.modelFailure) return { outcome: "failed", error: state.modelFailure };
  const fatal = [...state.children.values()].find(
    ({ failureMode, status }) =>
      failureMode === "fail_fast" && (status === "failed" || status === "canceled"),
  );
  if (fatal)
    return failed("child_failed", `A part that it needed was not done: ${failureOf(fatal)}`);
  const unknown = [...state.unknownTools].find(([, count]) => count >= 2);
  if (unknown)
    return failed(
      "unknown_tool",
      `The model named the tool "${unknown[0]}" again, which does not exist.`,
    );
  if (state.toolCalls > caps.toolCalls)
    return failed(
      "cap_tool_calls",
      `It asked for ${state.toolCalls} tool calls; ${caps.toolCalls} is the most that one run may make.`,
    );
  for (const [group, cap] of Object.entries(caps.toolCallsByGroup)) {
    const used = [...state.toolCallNames].reduce(
      (sum, [name, count]) => sum + (tools.get(name)?.group === group ? count : 0),
      0,
    );
    if (used > cap)
      return failed(
        "cap_tool_calls",
        `It asked for ${used} ${group} calls; ${cap} is the most that one run may make.`,
      );
  }
  return undefined;
}

/** Asked before a new model turn, not before another attempt of one that was begun. */
export function turnCapOf(state: RunState, caps: Caps): Ending | undefined {
  if (caps.steps !== undefined && state.step >= caps.steps)
    return failed("step_limit", `It took ${caps.steps} steps, the most that this run may.`);
  if (state.step >= caps.modelTurns)
    return failed(
      "cap_model_turns",
      `It took ${caps.modelTurns} model turns, the most that one run may.`,
    );
  return undefined;
}

/** Also one that nobody waited for: it ends with the whole. */
function isUnfinished({ status }: Child): boolean {
  return status !== "completed";
}

/** Another part was tried instead of it, and came to its end. */
function wasReplaced(children: RunState["children"], id: string): boolean {
  return [...children.values()].some(
    ({ insteadOf, status }) => insteadOf === id && status === "completed",
  );
}

function failureOf({ title, status, error }: Child): string {
  return `${title}: ${error?.message ?? (status === "canceled" ? "It was stopped." : status === "failed" ? "It failed." : "It was not waited for.")}`;
}

function failed(code: CodedError["code"], message: string): Ending {
  return { outcome: "failed", error: { code, message } };
}

/** The last events of a run: the card that says how it ended, then the state. */
export function emitEnd(draft: Draft, ending: Ending | { readonly outcome: "completed" }): void {
  draft.emit({
    type: "ui",
    payload: { kind: "RunSummaryCard", payload: summaryCard(draft.state(), ending) },
  });
  if (ending.outcome === "failed")
    draft.emit({
      type: "status",
      payload: { status: "failed", code: ending.error.code, message: ending.error.message },
    });
  else
    draft.emit({
      type: "status",
      payload: {
        status: ending.outcome,
        ...(ending.outcome === "completed" ? notDoneIn(draft.state()) : {}),
      },
    });
}

/**
 * How many changes it was to make and did not, if any. One that failed is made good by a later turn that did it
 * with the same tool; in the place of one that was answered in words counts what came next; one that was declined stays so, whatever else was done.
 */
function notDoneIn({ ended, children }: RunState): { notDone?: number } {
  let left: EndedAction[] = [];
  for (const action of ended) {
    const isDone = action.outcome === "completed";
    if (!isDone && action.unmade === undefined) continue;
    // Another call of the tool takes the place of all that could not be prepared.
    const isReplaced = ({ unmade, tool, step }: EndedAction) =>
      unmade === "unproposed" && tool === action.tool && step < action.step;
    left = left.filter((one) => !isReplaced(one));
    const place = left.findIndex(
      ({ unmade, tool, step }) =>
        (unmade === "answered" || (unmade === "failed" && isDone)) &&
        tool === action.tool &&
        step < action.step,
    );
    if (place >= 0) left.splice(place, 1);
    if (!isDone) left.push(action);
  }
  const all =
    left.length +
    [...children].reduce(
      (sum, [id, child]) =>
        sum + child.notDone + (isUnfinished(child) && !wasReplaced(children, id) ? 1 : 0),
      0,
    );
  return all === 0 ? {} : { notDone: all };
}

function summaryCard(
  state: RunState,
  ending: Ending | { readonly outcome: "completed" },
): JsonObject {
  const done = state.ended.filter((action) => action.outcome === "completed");
  const completed = [
    ...countByTool(
      "Did",
      done.filter(({ isReused }) => !isReused),
    ),
    ...countByTool(
      "Reused",
      done.filter(({ isReused }) => isReused),
    ),
  ];
  const parts = [...state.children.values()].filter(isUnfinished).map(failureOf);
  const notCompleted = state.ended
    .filter((action) => action.outcome !== "completed")
    .map((action) => `${action.tool}: ${action.error?.message ?? action.outcome}`)
    .concat(parts);
  const pendingUserMessages =
    ending.outcome !== "completed" && !state.answered && state.lastText !== ""
      ? { partialAnswer: state.lastText }
      : {};
  const sent = state.ended.findLast((action) => action.sent !== undefined)?.sent;
  const base = {
    highlights: completed,
    ...sent,
    ...(notCompleted.length > 0 ? { failed: notCompleted } : {}),
    ...pendingUserMessages,
  };
  if (ending.outcome === "completed") {
    const left = notDoneIn(state);
    return {
      outcome: "succeeded",
      ...base,
      ...left,
      ...omitUndefined({
        nextAction:
          left.notDone === undefined
            ? undefined
            : "Try it again if you still want what was not done; what was done is not done twice.",
      }),
    };
  }
  if (ending.outcome === "canceled")
    return {
      outcome: "canceled",
      ...base,
      reason: "It was stopped.",
      nextAction: "Start it again when you like; what was done stays done.",
    };
  return {
    outcome: "failed",
    ...base,
    code: ending.error.code,
    reason: ending.error.message,
    nextAction: errorTable[ending.error.code].hint,
  };
}

function countByTool(did: string, ended: readonly { readonly tool: string }[]): string[] {
  const counts = new Map<string, number>();
  for (const { tool } of ended) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts].map(([tool, count]) =>
    count === 1 ? `${did} ${tool}` : `${did} ${tool} ${count} times`,
  );
}
