import {
  describeReasons,
  omitUndefined,
  type ActionError,
  type EffectPayload,
  type JsonObject,
  type JsonValue,
  type Label,
  type WrittenThings,
} from "@bron/protocol";
import { unreachable } from "../../errors.ts";
import type { PolicyDecision } from "../../policy/policy-decision.ts";
import { backoffMs } from "../../model/backoff.ts";
import { actionError } from "../../tool/action-error.ts";
import { outputReadName } from "../../tool/output-read-tool.ts";
import type {
  AttemptResult,
  NeedsAuth,
  PrepareResult,
  ReconcileResult,
} from "../../tool/run-tool.ts";
import { recordAuxiliaryCall } from "../../auxiliary-call/auxiliary-call.ts";
import type { Draft } from "./draft.ts";
import { endAction, endEffect, endInterrupted, endUnknown } from "../../action/end-action.ts";
import { endForRewrite } from "../../effect/end-for-rewrite.ts";
import { recordResult } from "../../client-action/end-client-action.ts";
import type { HandedOver, Outcome } from "../outcome.ts";
import { recordMessage, recordModelFailure, type ModelCallRules } from "./record-model-call.ts";
import type { LabeledOutput, OpenAction, RunState } from "../state/run-state.ts";

interface RecordRules extends ModelCallRules {
  readonly approvalTtlMs: number;
}

/** Attempts of one effect that provably did not happen. */
const maxEffectAttempts = 3;

/** Emits the events for the outcome of finished work. */
export function record(draft: Draft, outcome: Outcome, rules: RecordRules): void {
  if (outcome.kind === "model") {
    if (outcome.result.ok)
      recordMessage(draft, outcome.result, { ...rules, policyRules: outcome.rules });
    else recordModelFailure(draft, outcome.result, rules);
    return;
  }
  if (outcome.kind === "auxiliary")
    return recordAuxiliaryCall(draft, outcome.request, outcome.result, rules);
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
      if (outcome.result.state === "denied")
        return endAction(draft, action, {
          state: "failed",
          ...blockedByRules(outcome.result.reasons),
        });
      return endAction(draft, action, {
        ...outcome.result,
        ...labelFor(draft, action, outcome.result, rules),
      });
    case "attempt":
      return recordAttempt(draft, action, outcome.result, rules);
    case "reconcile":
      return recordReconciliation(draft, action, outcome.result, rules);
    case "hand_over":
      return recordHandOver(draft, action, outcome, rules);
    case "keep_result":
      return recordResult(draft, action, outcome);
    default:
      return unreachable(outcome);
  }
}

/** From this event on, a program may take the action. Nothing starts while the run is ending. */
function recordHandOver(
  draft: Draft,
  action: OpenAction,
  { input, secretHash }: HandedOver,
  { tools, isEnding }: RecordRules,
): void {
  const client = tools.get(action.tool)?.client;
  if (!client || isEnding || action.client) return;
  const { program, deadlineMs, ifExpired } = client;
  draft.emit({
    type: "client_action",
    payload: {
      actionId: action.id,
      state: "pending",
      program,
      tool: action.tool,
      input,
      expiresAt: new Date(draft.now + deadlineMs).toISOString(),
      ifExpired,
      secretHash,
    },
  });
}

function blockedByRules(reasons: PolicyDecision["reasons"]) {
  return {
    error: {
      code: "forbidden" as const,
      message: `Blocked by your rules: ${describeReasons(reasons)}`,
    },
    notDone: { cause: "blocked" as const, reasons },
  };
}

/**
 * If the child run has finished meanwhile, the state says so and the action continues immediately.
 */
function recordWait(draft: Draft, action: OpenAction, childRunId: string): void {
  const { title = "", status = "queued" as const } = draft.state().children.get(childRunId) ?? {};
  draft.emit({ type: "child_run", payload: { childRunId, title, status, actionId: action.id } });
}

const quoted: Label = { origin: "tool", trusted: false, private: true, readers: [] };

/**
 * A tool's output carries the tool's label, and a part of a kept output that of the whole. An error
 * message of an effect counts as untrusted, because it may quote text from outside.
 */
function labelFor(
  draft: Draft,
  action: OpenAction,
  result: object & { readonly label?: Label },
  { tools }: RecordRules,
): { label?: Label } {
  const tool = tools.get(action.tool);
  if (!tool) return {};
  if (result.label) return { label: result.label };
  const part = action.tool === outputReadName ? keptOutputOf(draft.state(), action) : undefined;
  if (part) return { label: part.label };
  const label = tool.labelOf("output" in result ? (result.output as JsonValue) : null);
  return { label: "error" in result && tool.sideEffect && label.trusted ? quoted : label };
}

/** What an effect wrote. What is read of it later carries what the run had read by now. */
function wroteBy(
  draft: Draft,
  { tool: name, effect }: OpenAction,
  output: JsonValue,
  { tools, contextTrusted }: RecordRules,
): { wrote?: WrittenThings } {
  const things = effect ? tools.get(name)?.wroteOf(effect.prepared, output) : undefined;
  if (!effect || !things || things.length === 0) return {};
  const { results = [], writers = [] } = effect.reads ?? {};
  const isClean =
    draft.state().labels.untrusted.length === 0 &&
    results.every(({ label }) => label.trusted) &&
    writers.every((writer) => writer.trusted);
  return { wrote: { things: [...things], trusted: contextTrusted && isClean } };
}

/** The output that a call of `output_read` reads. */
function keptOutputOf({ keptOutputs }: RunState, { input }: OpenAction): LabeledOutput | undefined {
  const outputId =
    typeof input === "object" && input !== null && !Array.isArray(input) ? input["output"] : null;
  return typeof outputId === "string" ? keptOutputs.get(outputId) : undefined;
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
      ...labelFor(draft, action, result, rules),
    });
  const { prepared, preview, digest, decision, typed, reads, diff = [] } = result;
  const { rewrite } = decision;
  if (rewrite && !draft.state().rewrites.has(rewrite.key))
    return endForRewrite(draft, action, rewrite);
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
    ...(decision.asks ? { asks: [...decision.asks] } : {}),
    ...omitUndefined({ typed, reads }),
  };
  if (decision.verdict === "deny") {
    draft.emit({ type: "effect", payload: { ...effect, state: "rejected" } });
    return endAction(draft, action, {
      state: "rejected",
      ...blockedByRules(decision.reasons),
    });
  }
  if (decision.verdict === "allow") {
    const { risks = [] } = decision;
    const shown = risks.length === 0 ? {} : { risks: [...risks] };
    const { undoMs } = decision;
    const undo = undoMs === undefined ? {} : { undoUntil: draft.now + undoMs };
    return draft.emit({
      type: "effect",
      payload: { ...effect, ...shown, ...undo, state: "approved" },
    });
  }
  const approvalId = draft.ids.uuid();
  const expiresAt = new Date(draft.now + rules.approvalTtlMs).toISOString();
  draft.emit({ type: "effect", payload: { ...effect, state: "awaiting_confirmation" } });
  draft.emit({
    type: "approval",
    payload: {
      approvalId,
      actionId: action.id,
      effectId,
      tool: action.tool,
      digest,
      state: "pending",
      reasons: [...decision.reasons],
      preview,
      expiresAt,
      ...omitUndefined({ kind: decision.kind }),
      risks: [...(decision.risks ?? [])],
      ...(diff.length === 0 ? {} : { diff: [...diff] }),
    },
  });
  draft.emit({ type: "ui", payload: { kind: "ApprovalCard", payload: { approvalId } } });
}

/**
 * Makes the action wait for the account. If the account was connected while the action ran, the
 * action continues immediately.
 */
function recordNeedsAuth(
  draft: Draft,
  action: OpenAction,
  { provider, why, reason }: NeedsAuth,
): void {
  const need = { provider, ...omitUndefined({ why, reason }) };
  draft.emit({ type: "auth", payload: { state: "needed", ...need, actionId: action.id } });
  if (action.reconnected === provider)
    return draft.emit({ type: "auth", payload: { state: "connected", provider } });
  draft.emit({ type: "ui", payload: { kind: "ReconnectCard", payload: need as JsonObject } });
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
      kept: result.kept,
      ...wroteBy(draft, action, result.output, rules),
      ...labelFor(draft, action, result, rules),
    });
  if (result.state === "needs_auth") {
    reopen(draft, action, 0);
    return recordNeedsAuth(draft, action, result);
  }
  // An effect with an unclear outcome stays `attempting`. Reconciling resolves it once the deadline
  // has passed.
  if (result.state === "doubt") {
    draft.emit({
      type: "log",
      payload: {
        level: "warn",
        kind: "effect_unclear",
        tool: action.tool,
        ...shownFailure(result.error),
        actionId: action.id,
      },
    });
    if (result.check !== undefined && action.effect)
      endUnknown(draft, action, action.effect, { check: result.check });
    return;
  }
  const isSpent = action.attempts >= maxEffectAttempts && !result.isOutage;
  if (!result.retryable || isSpent || rules.isEnding)
    return endEffect(draft, action, "failed", {
      error: result.error,
      notDone: result.notDone,
      ...labelFor(draft, action, result, rules),
    });
  retryLater(
    draft,
    action,
    backoffMs(action.attempts, rules.random, result.retryAfterMs),
    shownFailure(result.error),
  );
}

function recordReconciliation(
  draft: Draft,
  action: OpenAction,
  result: ReconcileResult,
  rules: RecordRules,
): void {
  // A read tool has no ledger row. Its result is all there is to record.
  if (!action.effect) {
    if (result.state === "done")
      return endAction(draft, action, {
        state: "completed",
        output: result.output,
        kept: result.kept,
        ...labelFor(draft, action, result, rules),
      });
    return endInterrupted(draft, action);
  }
  if (result.state === "done")
    return endEffect(draft, action, "done", {
      output: result.output,
      kept: result.kept,
      ...wroteBy(draft, action, result.output, rules),
      ...labelFor(draft, action, result, rules),
    });
  if (result.state === "unknown") return endUnknown(draft, action, action.effect, result);
  if (action.attempts >= maxEffectAttempts)
    return endEffect(draft, action, "failed", {
      error: actionError("effect_not_done", { code: "attempts_used", attempts: action.attempts }),
    });
  retryLater(draft, action, 0);
}

type ShownFailure = Partial<Pick<ActionError, "why" | "message">>;

/** What people see of an error. The message of an error with a reason is for the model. */
function shownFailure({ why, message }: ActionError): ShownFailure {
  return why ? { why } : { message };
}

/** Lets the effect be attempted again under the same approval. */
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

function retryLater(
  draft: Draft,
  action: OpenAction,
  delayMs: number,
  failure: ShownFailure = {},
): void {
  reopen(draft, action, delayMs);
  draft.emit({
    type: "log",
    payload: {
      level: "info",
      kind: "effect_retry",
      tool: action.tool,
      ...failure,
      actionId: action.id,
    },
  });
}
