import { omitUndefined, type EffectPayload, type JsonValue, type Label } from "@bron/protocol";
import { costMicrousd } from "../budget/reservation.ts";
import { unreachable } from "../errors.ts";
import { backoffMs } from "../model/backoff.ts";
import type { ModelAnswer, ModelFailure } from "../model/model-turn.ts";
import type { ModelPrice } from "../ports.ts";
import type { AttemptResult, NeedsAuth, PrepareResult } from "../tool/run-tool.ts";
import type { Reconciliation, Tool } from "../tool/tool.ts";
import { validateCall } from "../tool/validate-call.ts";
import type { Draft } from "./draft.ts";
import { reusedOutput, type EarlierResult, type EarlierResults } from "./earlier-results.ts";
import { endAction, endEffect, endInDoubt } from "./end-action.ts";
import { unlabelled } from "./fold.ts";
import type { Outcome } from "./outcome.ts";
import type { OpenAction } from "./run-state.ts";

export interface RecordRules {
  readonly tools: ReadonlyMap<string, Tool>;
  readonly price: ModelPrice | undefined;
  readonly approvalTtlMs: number;
  readonly random: number;
  readonly stopping: boolean;
  /** Nothing untrusted was there before the run began. */
  readonly contextTrusted: boolean;
  /** Of the run that this one tries again. */
  readonly earlier: EarlierResults;
}

/** Attempts of one model step, and of one effect that provably did not happen. */
const maxModelAttempts = 4;
const maxEffectAttempts = 3;

/** Writes the end of something into the draft. */
export function record(draft: Draft, outcome: Outcome, rules: RecordRules): void {
  if (outcome.kind === "model") {
    if (outcome.result.ok) recordAnswer(draft, outcome.result, rules);
    else recordModelFailure(draft, outcome.result, rules);
    return;
  }
  const action = draft.state().open.get(outcome.actionId);
  if (!action) return;
  switch (outcome.kind) {
    case "prepare":
      return recordPrepared(draft, action, outcome.result, rules);
    case "read":
      if (outcome.result.state === "needs_auth")
        return recordNeedsAuth(draft, action, outcome.result);
      if (outcome.result.state === "awaits_run")
        return recordWait(draft, action, outcome.result.runId);
      return endAction(draft, action, {
        ...outcome.result,
        ...labelFor(action, outcome.result, rules),
      });
    case "attempt":
      return recordAttempt(draft, action, outcome.result, rules);
    case "reconcile":
      return recordReconciliation(draft, action, outcome.result, rules);
    default:
      return unreachable(outcome);
  }
}

/** If the end has come meanwhile, the state knows, and the action goes on at once. */
function recordWait(draft: Draft, action: OpenAction, childRunId: string): void {
  const { title = "", status = "queued" as const } = draft.state().children.get(childRunId) ?? {};
  draft.emit({ type: "child_run", payload: { childRunId, title, status, actionId: action.id } });
}

const quoted: Label = { origin: "tool", trusted: false, private: true, readers: [] };

/** A tool's own words carry its label. What an effect says went wrong may quote what it met outside, whatever it returns otherwise. */
function labelFor(action: OpenAction, result: object, { tools }: RecordRules): { label?: Label } {
  const tool = tools.get(action.tool);
  if (!tool) return {};
  const label = tool.labelOf("output" in result ? (result.output as JsonValue) : null);
  return { label: "error" in result && tool.sideEffect && label.trusted ? quoted : label };
}

function recordAnswer(draft: Draft, answer: ModelAnswer, rules: RecordRules): void {
  const open = draft.state().openStep;
  if (!open) return;
  const { step, attempt, model } = open;
  const usage = answer.usage ?? { inputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const cost = answer.usage ? costMicrousd(answer.usage, rules.price) : open.reservedMicrousd;
  const calls = answer.calls.map((call) => ({ actionId: draft.ids.uuid(), ...call }));
  draft.emit({
    type: "message",
    payload: {
      role: "assistant",
      content: answer.text,
      step,
      final: calls.length === 0,
      parts: answer.parts,
      trusted: rules.contextTrusted && draft.state().labels.untrusted.length === 0,
    },
  });
  draft.emit({
    type: "usage",
    payload: { step, attempt, model, outcome: "settled", ...usage, costMicrousd: cost },
  });
  draft.emit({
    type: "step",
    payload: { phase: "end", step, attempt, finish: answer.finish, calls },
  });
  if (answer.finish === "length")
    draft.emit({
      type: "log",
      payload: {
        level: "warn",
        message: "The model reached the most that it may say at once; its answer may be cut.",
      },
    });
  for (const { actionId, tool, input } of calls) {
    const valid = validateCall(rules.tools, tool, input);
    const action = draft.state().open.get(actionId);
    if (!valid.ok && action) endAction(draft, action, { state: "failed", error: valid.error });
    const earlier = valid.ok ? rules.earlier.of(valid.tool, input) : undefined;
    if (valid.ok && action && earlier) reuse(draft, action, valid.tool, earlier);
  }
}

/** The same call in a run that is tried again: nothing is read, written or sent a second time. */
function reuse(draft: Draft, action: OpenAction, tool: Tool, { from, end }: EarlierResult): void {
  const output = reusedOutput(tool, end.output);
  const doubt = end.outcome === "unknown" ? ", of which nobody knows whether it happened" : "";
  draft.emit({
    type: "log",
    payload: {
      level: "info",
      message: `Reused from run ${from.runId.slice(0, 8)}: ${tool.name}${doubt}.`,
      actionId: action.id,
    },
  });
  endAction(draft, action, {
    state: end.outcome,
    reused: from,
    ...omitUndefined({ output }),
    ...(end.error ? { error: end.error } : {}),
    label: end.label ?? unlabelled,
  });
}

function recordModelFailure(draft: Draft, failure: ModelFailure, rules: RecordRules): void {
  const { openStep: open, failedAttempts } = draft.state();
  if (!open) return;
  const again = failure.retryable && failedAttempts + 1 < maxModelAttempts && !rules.stopping;
  const usage =
    typeof failure.cost === "object"
      ? failure.cost
      : { inputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  const cost =
    failure.cost === "unknown"
      ? open.reservedMicrousd
      : failure.cost === "nothing"
        ? 0
        : costMicrousd(failure.cost, rules.price);
  const retryAt = again
    ? draft.now + backoffMs(failedAttempts, rules.random, failure.retryAfterMs)
    : undefined;
  draft.emit({
    type: "usage",
    payload: {
      step: open.step,
      attempt: open.attempt,
      model: open.model,
      outcome: failure.cost === "unknown" ? "lost" : "failed",
      ...usage,
      costMicrousd: cost,
      error: failure.error,
      ...omitUndefined({ retryAt }),
    },
  });
  if (retryAt !== undefined) {
    draft.emit({
      type: "log",
      payload: {
        level: "warn",
        message: `${failure.error.message} Trying again in ${Math.ceil((retryAt - draft.now) / 1000)} s.`,
      },
    });
  }
}

/** A model call whose worker is gone: nobody knows what it cost, so the reservation stands. */
export function recordLostCall(draft: Draft, attemptAgain: boolean): void {
  const { openStep, failedAttempts } = draft.state();
  if (!openStep) return;
  const { step, attempt, model, reservedMicrousd, interrupted } = openStep;
  const again = attemptAgain && (interrupted || failedAttempts + 1 < maxModelAttempts);
  const error = {
    code: "model_unavailable" as const,
    message: "The worker was gone before the model's answer was written down.",
  };
  const nothing = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0 };
  draft.emit({
    type: "usage",
    payload: {
      step,
      attempt,
      model,
      outcome: "lost",
      ...nothing,
      costMicrousd: reservedMicrousd,
      error,
      ...(interrupted ? { interrupted } : {}),
      ...(again ? { retryAt: draft.now } : {}),
    },
  });
}

function recordPrepared(
  draft: Draft,
  action: OpenAction,
  result: PrepareResult,
  rules: RecordRules,
): void {
  if (result.state === "needs_auth") return recordNeedsAuth(draft, action, result);
  if (result.state === "failed")
    return endAction(draft, action, {
      state: "failed",
      error: result.error,
      unproposed: true,
      ...labelFor(action, result, rules),
    });
  const { prepared, preview, digest, decision, typed, difference = [] } = result;
  const effectId = draft.ids.uuid();
  const formVersion = rules.tools.get(action.tool)?.formVersion;
  const effect: EffectPayload = {
    effectId,
    actionId: action.id,
    tool: action.tool,
    state: "proposed",
    digest,
    prepared,
    ...omitUndefined({ formVersion }),
    preview,
    reasons: [...decision.reasons],
    ...(typed ? { typed } : {}),
  };
  const reason = decision.reasons.join(" ");
  if (decision.verdict === "deny") {
    draft.emit({ type: "effect", payload: { ...effect, state: "rejected" } });
    return endAction(draft, action, {
      state: "rejected",
      error: { code: "forbidden", message: `A rule does not allow it: ${reason}` },
    });
  }
  if (decision.verdict === "allow")
    return draft.emit({ type: "effect", payload: { ...effect, state: "approved" } });
  const approvalId = draft.ids.uuid();
  const expiresAt = new Date(draft.now + rules.approvalTtlMs).toISOString();
  draft.emit({ type: "effect", payload: { ...effect, state: "awaiting_confirmation" } });
  const changed =
    difference.length === 0 ? {} : { difference: difference.map((one) => ({ ...one })) };
  draft.emit({
    type: "approval",
    payload: {
      approvalId,
      actionId: action.id,
      effectId,
      tool: action.tool,
      digest,
      state: "requested",
      reason,
      preview,
      expiresAt,
      risks: [...(decision.risks ?? [])],
      ...changed,
    },
  });
  const risks = (decision.risks ?? []).map((risk) => ({
    ...risk,
    from: risk.from.map((source) => ({ ...source })),
    notes: [...risk.notes],
  }));
  draft.emit({
    type: "ui",
    payload: {
      kind: "ApprovalCard",
      payload: {
        approvalId,
        actionId: action.id,
        tool: action.tool,
        digest,
        reason,
        preview,
        expiresAt,
        risks,
        ...changed,
      },
    },
  });
}

/** The action waits for the account. If it was connected while the action ran, it can go on at once. */
function recordNeedsAuth(draft: Draft, action: OpenAction, { provider, reason }: NeedsAuth): void {
  draft.emit({ type: "auth", payload: { state: "needed", provider, reason, actionId: action.id } });
  if (action.reconnected === provider)
    return draft.emit({ type: "auth", payload: { state: "connected", provider } });
  draft.emit({ type: "ui", payload: { kind: "ReconnectCard", payload: { provider, reason } } });
}

function recordAttempt(
  draft: Draft,
  action: OpenAction,
  result: AttemptResult,
  rules: RecordRules,
): void {
  if (result.state === "done")
    return endEffect(draft, action, "done", {
      output: result.output,
      ...labelFor(action, result, rules),
    });
  if (result.state === "needs_auth") {
    reopen(draft, action, 0);
    return recordNeedsAuth(draft, action, result);
  }
  // Doubt stays `attempting`: it is settled by reconcile, once the deadline has passed.
  if (result.state === "doubt") {
    return draft.emit({
      type: "log",
      payload: {
        level: "warn",
        message: `${action.tool}: ${result.error.message} Finding out whether it happened.`,
        actionId: action.id,
      },
    });
  }
  const isSpent = action.attempts >= maxEffectAttempts && !result.isOutage;
  if (!result.retryable || isSpent || rules.stopping)
    return endEffect(draft, action, "failed", {
      error: result.error,
      ...labelFor(action, result, rules),
    });
  again(
    draft,
    action,
    backoffMs(action.attempts, rules.random, result.retryAfterMs),
    result.error.message,
  );
}

function recordReconciliation(
  draft: Draft,
  action: OpenAction,
  result: Reconciliation,
  rules: RecordRules,
): void {
  // A tool that reads has no ledger row; what it did is its result.
  if (!action.effect) {
    if (result.state === "done")
      return endAction(draft, action, {
        state: "completed",
        output: result.output,
        ...labelFor(action, result, rules),
      });
    return endAction(draft, action, {
      state: "unknown",
      error: { code: "effect_unknown", message: "It was interrupted while it ran." },
    });
  }
  if (result.state === "done")
    return endEffect(draft, action, "done", {
      output: result.output,
      ...labelFor(action, result, rules),
    });
  if (result.state === "unknown") return endInDoubt(draft, action, action.effect, result.check);
  if (action.attempts >= maxEffectAttempts)
    return endEffect(draft, action, "failed", {
      error: {
        code: "effect_not_done",
        message: `It did not happen, after ${action.attempts} attempts.`,
      },
    });
  again(draft, action, 0, "It had not happened.");
}

/** It may be attempted again under the approval that it had. */
function reopen(draft: Draft, action: OpenAction, delayMs: number): void {
  const { effect } = action;
  if (effect)
    draft.emit({
      type: "effect",
      payload: {
        effectId: effect.id,
        actionId: action.id,
        tool: action.tool,
        state: "approved",
        digest: effect.digest,
        retryAt: draft.now + delayMs,
      },
    });
}

function again(draft: Draft, action: OpenAction, delayMs: number, why: string): void {
  reopen(draft, action, delayMs);
  draft.emit({
    type: "log",
    payload: {
      level: "info",
      message: `${action.tool}: ${why} Trying again.`,
      actionId: action.id,
    },
  });
}
