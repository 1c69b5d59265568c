import type {
  Caps,
  CompletedCalls,
  Failure,
  FailureReason,
  JsonObject,
  NotDone,
  NotDoneCause,
  RunOutcome,
} from "@bron/protocol";
import type { Tool } from "../../tool/tool.ts";
import { closeAuxiliaryCalls } from "../../auxiliary-call/auxiliary-call.ts";
import type { Draft } from "./draft.ts";
import { emitSummaryKept } from "./end-upkeep.ts";
import { plainFailure } from "./plain-failure.ts";
import type { RunState } from "../state/run-state.ts";
import { isLost, unfinishedChildren } from "../../child-run/unfinished-children.ts";
import { changesNotMade } from "./changes-not-made.ts";

/** Why a run must end before its final message. */
export type Ending =
  | { readonly outcome: "canceled" }
  | { readonly outcome: "failed"; readonly error: Failure };

export interface EndingRules {
  readonly caps: Caps;
  readonly tools: ReadonlyMap<string, Tool>;
  readonly activeMs: number;
  /**
   * Set when workers failed on the run repeatedly. The run ends; only effects with an unknown
   * outcome are still reconciled.
   */
  readonly giveUpError: Failure | undefined;
}

/** Checks the conditions that end a run early, in order of priority. */
export function endingOf(
  state: RunState,
  { caps, tools, activeMs, giveUpError }: EndingRules,
): Ending | undefined {
  if (state.cancelRequested) return { outcome: "canceled" };
  if (giveUpError) return { outcome: "failed", error: giveUpError };
  if (state.hasFinalMessage) return undefined;
  if (activeMs >= caps.activeMs)
    return failed("cap_time", {
      code: "time_limit",
      minutes: Math.round(caps.activeMs / 60_000),
    });
  if (state.modelFailure) return { outcome: "failed", error: state.modelFailure };
  const fatal = [...state.children.values()].find(
    ({ failureMode, status }) =>
      failureMode === "fail_fast" && (status === "failed" || status === "canceled"),
  );
  if (fatal) return failed("child_failed", { code: "child_failed", title: fatal.title });
  const unknown = [...state.unknownTools].find(([, count]) => count >= 2);
  if (unknown) return failed("unknown_tool", { code: "tool_does_not_exist", tool: unknown[0] });
  if (state.toolCalls > caps.toolCalls)
    return failed("cap_tool_calls", {
      code: "tool_call_limit",
      asked: state.toolCalls,
      limit: caps.toolCalls,
    });
  for (const [group, cap] of Object.entries(caps.toolCallsByGroup)) {
    const used = [...state.toolCallNames].reduce(
      (sum, [name, count]) => sum + (tools.get(name)?.group === group ? count : 0),
      0,
    );
    if (used > cap)
      return failed("cap_tool_calls", {
        code: "group_call_limit",
        asked: used,
        limit: cap,
        group,
      });
  }
  return undefined;
}

/** Checked before a new step, not before another attempt of the current step. */
export function stepCapOf(state: RunState, caps: Caps): Ending | undefined {
  if (caps.steps !== undefined && state.step >= caps.steps)
    return failed("step_limit", { code: "step_limit", steps: caps.steps });
  if (state.step >= caps.modelTurns)
    return failed("cap_model_turns", { code: "step_limit", steps: caps.modelTurns });
  return undefined;
}

function failed(code: Failure["code"], why: FailureReason): Ending {
  return { outcome: "failed", error: { code, why } };
}

export type RunEnding = Ending | { readonly outcome: "completed" };

/** Emits the last events of a run: the summary card, then the status. */
export function emitEnd(draft: Draft, ending: RunEnding, outcome: RunOutcome): void {
  closeAuxiliaryCalls(draft);
  if (draft.state().kind === "upkeep" && ending.outcome !== "completed")
    emitSummaryKept(draft, "failed");
  const notDone = countNotDone(draft.state());
  draft.emit({
    type: "ui",
    payload: {
      kind: "RunSummaryCard",
      payload: { ...summaryCard(draft.state(), { ending, outcome, notDone }), runOutcome: outcome },
    },
  });
  draft.emit({
    type: "status",
    payload: {
      status: ending.outcome,
      ...(ending.outcome === "failed" ? plainFailure(ending.error) : {}),
      ...(ending.outcome === "completed" && notDone > 0 ? { notDone } : {}),
      outcome,
    },
  });
}

/** Counts the requested changes that were not made, also by child runs. */
function countNotDone({ ended, children }: RunState): number {
  return [...children].reduce(
    (sum, [id, child]) => sum + child.notDone + (isLost(children, id, child) ? 1 : 0),
    changesNotMade(ended).length,
  );
}

function isRewrite({ why }: NotDone): boolean {
  return why?.code === "not_mentioned";
}

function isCalledAgain({ ended }: RunState, tool: string, step: number): boolean {
  return ended.some((action) => action.tool === tool && action.step > step);
}

/**
 * A retry repeats what failed. It cannot help if nothing failed and the model does not know how to do
 * it, if the owner declined, or if the owner has to answer.
 */
function nextActionOf(
  outcome: RunOutcome,
  { ended, children }: RunState,
): { nextAction?: "retry" | "retry_rest" } {
  const canHelp =
    ended.some(({ notDone }) => notDone !== undefined && !closedByOwner.has(notDone.cause)) ||
    unfinishedChildren(children).length > 0;
  if (!canHelp) return {};
  if (outcome === "partly_done") return { nextAction: "retry_rest" };
  return outcome === "could_not" ? { nextAction: "retry" } : {};
}

const closedByOwner: ReadonlySet<NotDoneCause> = new Set(["denied", "undone", "replied"]);

interface End {
  readonly ending: RunEnding;
  readonly outcome: RunOutcome;
  readonly notDone: number;
}

function summaryCard(
  state: RunState,
  { ending, outcome, notDone: effectsNotDone }: End,
): JsonObject {
  const done = state.ended.filter((action) => action.outcome === "completed");
  const notDone = state.ended.flatMap(({ tool, step, notDone: why }) =>
    why && !(isRewrite(why) && isCalledAgain(state, tool, step))
      ? [{ tool, ...why } as unknown as JsonObject]
      : [],
  );
  const unfinished = unfinishedChildren(state.children) as unknown as JsonObject[];
  const partialText =
    ending.outcome !== "completed" && !state.hasFinalMessage && state.lastText !== ""
      ? { partialText: state.lastText }
      : {};
  const sent = state.ended.findLast((action) => action.sent !== undefined)?.sent;
  const unreadFiles = unreadFilesOf(state);
  const base = {
    did: [
      ...countByTool(
        done.filter(({ isReused }) => !isReused),
        false,
      ),
      ...countByTool(
        done.filter(({ isReused }) => isReused),
        true,
      ),
    ],
    notDone,
    ...(unfinished.length > 0 ? { unfinished } : {}),
    ...(unreadFiles.length > 0 ? { unreadFiles } : {}),
    ...sent,
    ...partialText,
  };
  if (ending.outcome === "completed")
    return {
      outcome: "succeeded",
      ...base,
      ...(effectsNotDone === 0 ? {} : { effectsNotDone }),
      ...nextActionOf(outcome, state),
    };
  if (ending.outcome === "canceled") return { outcome: "canceled", ...base, nextAction: "retry" };
  return {
    outcome: "failed",
    ...base,
    error: plainFailure(ending.error),
    nextAction: "resolve_error",
  };
}

/** The names of attached files that neither the model nor a tool has looked at. */
function unreadFilesOf({ files, shownFiles, readFiles }: RunState): string[] {
  return files.flatMap(({ name, digest }) =>
    shownFiles.has(digest) || readFiles.has(digest) ? [] : [name],
  );
}

function countByTool(
  ended: readonly { readonly tool: string }[],
  reused: boolean,
): CompletedCalls[] {
  const counts = new Map<string, number>();
  for (const { tool } of ended) counts.set(tool, (counts.get(tool) ?? 0) + 1);
  return [...counts].map(([tool, count]) => ({ tool, count, reused }));
}
