import { omitUndefined, reportOutcomeName, type PlannedCall } from "@bron/protocol";
import type { ModelFailure, ModelMessage } from "../../model/model-result.ts";
import type { StoredRules } from "../../policy/permissions/rules.ts";
import type { Tool } from "../../tool/tool.ts";
import { declaredIn } from "../../tool/report-outcome-tool.ts";
import { toolNamed } from "../../tool/tool-names.ts";
import { validateCall } from "../../tool/validate-call.ts";
import type { Draft } from "./draft.ts";
import {
  reusedOutput,
  type EarlierResult,
  type EarlierResults,
} from "../../retry/earlier-results.ts";
import { endAction } from "../../action/end-action.ts";
import { unlabeled } from "../state/fold-action.ts";
import type { OpenAction, RunState } from "../state/run-state.ts";
import {
  emitRepeated,
  settleCall,
  settleFailure,
  settleLost,
  type SettleRules,
} from "./settle-call.ts";
import { toolRemoved } from "../../tool-set/unavailable-tool.ts";

export interface ModelCallRules extends SettleRules {
  readonly tools: ReadonlyMap<string, Tool>;
  /** True if the context before the run contains nothing untrusted. */
  readonly contextTrusted: boolean;
  /** Results of the run that this one retries. */
  readonly earlier: EarlierResults;
}

/** Emits the events for a message, and ends its calls that are invalid or have a result already. */
export function recordMessage(
  draft: Draft,
  message: ModelMessage,
  rules: ModelCallRules & { readonly policyRules: StoredRules | undefined },
): void {
  const open = draft.state().openStep;
  if (!open) return;
  const { step, attempt } = open;
  const { modelNames } = draft.state();
  const calls = message.calls.map((call) => ({
    actionId: draft.ids.uuid(),
    ...call,
    tool: toolNamed(modelNames, call.tool),
  }));
  draft.emit({
    type: "message",
    payload: {
      role: "assistant",
      content: message.text,
      step,
      final: isFinal(message.text, calls, draft.state()),
      parts: message.parts,
      trusted: rules.contextTrusted && draft.state().labels.untrusted.length === 0,
    },
  });
  draft.emit({ type: "usage", payload: { step, ...settleCall(open, message.usage, rules) } });
  draft.emit({
    type: "step",
    payload: { phase: "end", step, attempt, finish: message.finish, calls },
  });
  if (message.finish === "length")
    draft.emit({
      type: "log",
      payload: { level: "warn", kind: "message_truncated" },
    });
  const offered = offeredTools(rules.tools, draft.state());
  for (const { actionId, tool, input } of calls) {
    const modelName = modelNames.get(tool) ?? tool;
    const isRemoved = modelNames.has(tool) && !offered.has(modelName);
    const valid = isRemoved
      ? ({ ok: false, error: toolRemoved(tool) } as const)
      : validateCall(offered, modelName, input);
    const action = draft.state().open.get(actionId);
    if (!valid.ok && action) endAction(draft, action, { state: "failed", error: valid.error });
    if (valid.ok && action && tool === reportOutcomeName) endReport(draft, action);
    const earlier = valid.ok ? rules.earlier.of(valid.tool, input, rules.policyRules) : undefined;
    if (valid.ok && action && earlier) reuse(draft, action, valid.tool, earlier);
  }
}

/**
 * Whether the message ends the run: it only says how the task went, and the owner has not said more
 * in the meantime.
 */
function isFinal(
  text: string,
  calls: readonly Pick<PlannedCall, "tool" | "input">[],
  { pendingUserMessages, toolSet }: RunState,
): boolean {
  const isReport = ({ tool, input }: Pick<PlannedCall, "tool" | "input">) =>
    tool === reportOutcomeName &&
    toolSet?.has(reportOutcomeName) === true &&
    declaredIn(input) !== undefined;
  return (
    pendingUserMessages.length === 0 &&
    calls.every(isReport) &&
    (calls.length === 0 || text.trim() !== "")
  );
}

/** The log has the outcome in the call itself. */
function endReport(draft: Draft, action: OpenAction): void {
  const hasMessage = draft.state().hasFinalMessage;
  endAction(draft, action, {
    state: "completed",
    output: hasMessage ? "Noted." : "Noted. Now write your last message to the user.",
  });
}

/**
 * The tools that the step offered, by the names that the model knows. Logs of earlier versions do
 * not have them.
 */
function offeredTools(
  tools: ReadonlyMap<string, Tool>,
  { toolSet, modelNames }: RunState,
): ReadonlyMap<string, Tool> {
  if (!toolSet) return tools;
  const offered = [...tools].filter(([name]) => toolSet.has(name));
  return new Map(offered.map(([name, tool]) => [modelNames.get(name) ?? name, tool]));
}

/**
 * Ends a call with the result of the same call in the retried run, so nothing is read, written or
 * sent a second time.
 */
function reuse(draft: Draft, action: OpenAction, tool: Tool, { from, end }: EarlierResult): void {
  const output = reusedOutput(tool, end.output);
  draft.emit({
    type: "log",
    payload: {
      level: "info",
      kind: "reused",
      tool: tool.name,
      runId: from.runId,
      isUnknown: end.outcome === "unknown",
      actionId: action.id,
    },
  });
  endAction(draft, action, {
    state: end.outcome,
    reused: from,
    ...omitUndefined({ output, error: end.error }),
    notDone: end.notDone,
    kept: end.kept,
    label: end.label ?? unlabeled,
  });
}

export function recordModelFailure(
  draft: Draft,
  failure: ModelFailure,
  rules: ModelCallRules,
): void {
  const { openStep: open, failedAttempts } = draft.state();
  if (!open) return;
  const settled = settleFailure(open, failure, { failedAttempts, now: draft.now, rules });
  const { step, hasFiles } = open;
  // A broken or locked file must not end the run. Tools can still read it.
  if (hasFiles && failure.error.code === "model_refused" && !rules.isEnding) {
    const repeated = { ...settled, retryAt: draft.now, withoutFiles: true as const };
    draft.emit({ type: "usage", payload: { step, ...repeated } });
    return draft.emit({ type: "log", payload: { level: "warn", kind: "files_not_shown" } });
  }
  draft.emit({ type: "usage", payload: { step, ...settled } });
  emitRepeated(draft, settled);
}

/**
 * Records a model call whose worker is gone. Its cost is unknown, so the reservation is charged.
 */
export function recordLostCall(draft: Draft, attemptAgain: boolean): void {
  const { openStep, failedAttempts } = draft.state();
  if (!openStep) return;
  const settled = settleLost(openStep, { failedAttempts, now: draft.now, mayRetry: attemptAgain });
  draft.emit({ type: "usage", payload: { step: openStep.step, ...settled } });
}
