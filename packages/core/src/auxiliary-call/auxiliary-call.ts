import { omitUndefined, type Failure } from "@bron/protocol";
import { afford, budgetFailure, reserveMicrousd } from "../budget/reservation.ts";
import { cleanText } from "../context/clean-text.ts";
import { byteLength } from "../context/model-messages.ts";
import {
  auxiliaryOptions,
  maxAuxiliaryTokens,
  parseOutput,
  type AuxiliaryRequest,
} from "../model/auxiliary-request.ts";
import type { ModelFailure, ModelMessage } from "../model/model-result.ts";
import { chooseModel } from "../model/model-set.ts";
import type { RunModel } from "../ports/model.ts";
import { budgetOf } from "../budget/budget-of.ts";
import type { Draft } from "../run/decide/draft.ts";
import type { MoveBuilder } from "../run/decide/move-builder.ts";
import { auxiliaryKey } from "../run/outcome.ts";
import type { AuxiliaryCall } from "../run/state/run-state.ts";
import {
  emitRepeated,
  settleCall,
  settleFailure,
  settleLost,
  type SettledCall,
  type SettleRules,
} from "../run/decide/settle-call.ts";

/**
 * Advances the auxiliary calls that the run needs before its next step. Returns false as long as
 * one of them has no result.
 */
export function resolveAuxiliaryCalls(builder: MoveBuilder): boolean {
  const { draft, facts } = builder;
  return facts
    .auxiliaryRequests(draft.state())
    .map((request) => askModel(builder, request))
    .every((result) => result !== undefined);
}

/**
 * Returns the result of an auxiliary call that something waits for. Without one it starts the call, repeats it, or waits, and
 * returns undefined. A call that the budget does not allow has a result that says so.
 */
export function askModel(
  builder: MoveBuilder,
  request: AuxiliaryRequest,
): AuxiliaryCall["result"] | undefined {
  const { draft, facts } = builder;
  const { purpose } = request;
  if (builder.isBusy(auxiliaryKey(purpose))) return undefined;
  recordLostAuxiliaryCall(draft, purpose, true);
  const call = draft.state().auxiliaryCalls.get(purpose);
  if (call?.result) return call.result;
  const leftMs = timeLeft(request, call, facts.now);
  if (call && leftMs !== undefined && leftMs <= 0) {
    endCall(draft, request, { callId: call.callId, error: tooSlow(builder, request, call) });
    return draft.state().auxiliaryCalls.get(purpose)?.result;
  }
  if (call?.retry && facts.now < call.retry.notBefore) {
    builder.waitUntil(call.retry.notBefore);
    return undefined;
  }
  return startAttempt(builder, { ...request, ...omitUndefined({ timeoutMs: leftMs }) }, call);
}

/** The time that the next attempt has once it may start. Undefined without a limit. */
function timeLeft(
  { timeoutMs }: AuxiliaryRequest,
  { startedAt, retry }: Pick<AuxiliaryCall, "startedAt" | "retry"> = {},
  now: number,
): number | undefined {
  if (timeoutMs === undefined || startedAt === undefined) return timeoutMs;
  return startedAt + timeoutMs - Math.max(now, retry?.notBefore ?? 0);
}

function tooSlow(
  { facts }: MoveBuilder,
  { timeoutMs = 0, role = "light" }: AuxiliaryRequest,
  { retry }: AuxiliaryCall,
): Failure {
  const model = retry?.model ?? facts.models[role].name;
  const seconds = Math.round(timeoutMs / 1_000);
  return { code: "model_timeout", why: { code: "model_slow", model, seconds } };
}

function startAttempt(
  builder: MoveBuilder,
  request: AuxiliaryRequest,
  call: AuxiliaryCall | undefined,
): AuxiliaryCall["result"] | undefined {
  const { draft, facts } = builder;
  const { purpose, role = "light" } = request;
  const { models } = facts;
  const { callId = draft.ids.uuid(), retry, invalid } = call ?? {};
  const isDown = retry ? () => false : facts.isModelDown;
  const { model: chosen } = chooseModel(models, retry?.model ?? models[role].name, isDown);
  const model: RunModel = {
    ...chosen,
    maxOutputTokens: Math.min(chosen.maxOutputTokens, maxAuxiliaryTokens),
  };
  const options = auxiliaryOptions(request, invalid);
  const reservedMicrousd = reserveMicrousd(byteLength(options), model);
  const affordable = afford(budgetOf(facts, draft.state()), { reservedMicrousd, model });
  const refusal: Failure | undefined = !affordable.ok
    ? { code: affordable.code, why: affordable.why }
    : affordable.draw && facts.budgetRefusal
      ? budgetFailure(facts.budgetRefusal)
      : undefined;
  if (refusal) {
    endCall(draft, request, { callId, error: refusal });
    return draft.state().auxiliaryCalls.get(purpose)?.result;
  }
  if (affordable.ok) builder.draw(affordable.draw);
  const attempt = retry?.attempt ?? 1;
  draft.running("planning");
  draft.emit({
    type: "auxiliary_call",
    payload: {
      phase: "start",
      callId,
      purpose,
      attempt,
      model: model.name,
      reservedMicrousd,
      requestDigest: facts.requests.digestAuxiliary(options, model.maxOutputTokens),
      activeMs: facts.activeMs,
    },
  });
  builder.start({ kind: "auxiliary", request, options, model, attempt });
  return undefined;
}

/** What the log keeps of an output that does not match its schema. */
const maxInvalidCharacters = 4_000;

export function recordAuxiliaryCall(
  draft: Draft,
  request: AuxiliaryRequest,
  result: ModelMessage | ModelFailure,
  rules: SettleRules,
): void {
  const { purpose } = request;
  const call = draft.state().auxiliaryCalls.get(purpose);
  if (!call?.open) return;
  const { callId, open, failedAttempts } = call;
  if (!result.ok) {
    const { maxAttempts } = request;
    const settled = settleFailure(open, result, {
      failedAttempts,
      now: draft.now,
      rules,
      maxAttempts,
    });
    emitUsage(draft, callId, settled);
    if (settled.retryAt === undefined) endCall(draft, request, { callId, error: result.error });
    else emitRepeated(draft, settled);
    return;
  }
  emitUsage(draft, callId, settleCall(open, result.usage, rules));
  const parsed = parseOutput(request, result.text);
  if (parsed.ok) return endCall(draft, request, { callId, output: parsed.output });
  const { attempt, model } = open;
  if (call.invalid || rules.isEnding)
    return endCall(draft, request, {
      callId,
      error: {
        code: "model_response_invalid",
        why: { code: "response_unreadable", detail: parsed.problem },
      },
    });
  const text = cleanText(result.text.slice(0, maxInvalidCharacters));
  draft.emit({
    type: "auxiliary_call",
    payload: { phase: "invalid", callId, purpose, attempt, model, text, problem: parsed.problem },
  });
}

/** Ends every auxiliary call of a run that ends. A call under way is charged in full. */
export function closeAuxiliaryCalls(draft: Draft): void {
  for (const purpose of draft.state().auxiliaryCalls.keys()) {
    recordLostAuxiliaryCall(draft, purpose, false);
    const call = draft.state().auxiliaryCalls.get(purpose);
    if (call && !call.result)
      emitEnd(draft, {
        callId: call.callId,
        purpose,
        error: { code: "interrupted", why: { code: "call_canceled" } },
      });
  }
}

/** Records an attempt whose worker is gone. */
function recordLostAuxiliaryCall(draft: Draft, purpose: string, mayRetry: boolean): void {
  const call = draft.state().auxiliaryCalls.get(purpose);
  if (!call?.open) return;
  const { callId, open, failedAttempts } = call;
  const settled = settleLost(open, { failedAttempts, now: draft.now, mayRetry });
  emitUsage(draft, callId, settled);
  if (settled.retryAt === undefined && settled.error)
    emitEnd(draft, { callId, purpose, error: settled.error });
}

function emitUsage(draft: Draft, auxiliaryCallId: string, settled: SettledCall): void {
  const { step } = draft.state();
  draft.emit({ type: "usage", payload: { step, auxiliaryCallId, ...settled } });
}

/** Ends a call, and tells the owner about its output. */
function endCall(
  draft: Draft,
  { purpose, describe }: AuxiliaryRequest,
  end: Pick<AuxiliaryCall, "callId"> & NonNullable<AuxiliaryCall["result"]>,
): void {
  emitEnd(draft, { purpose, ...end });
  for (const event of describe?.(end.output, end.callId) ?? []) draft.emit(event);
}

function emitEnd(
  draft: Draft,
  end: Pick<AuxiliaryCall, "callId"> & { purpose: string } & NonNullable<AuxiliaryCall["result"]>,
): void {
  draft.emit({ type: "auxiliary_call", payload: { phase: "end", ...end } });
}
