import { omitUndefined, type UsagePayload } from "@bron/protocol";
import { costMicrousd } from "../../budget/reservation.ts";
import { backoffMs } from "../../model/backoff.ts";
import { isModelOutage } from "../../model/model-failure.ts";
import type { ModelFailure, ModelUsage } from "../../model/model-result.ts";
import type { ModelSet } from "../../model/model-set.ts";
import type { Draft } from "./draft.ts";
import type { StartedCall } from "../state/run-state.ts";

export interface SettleRules {
  readonly models: ModelSet;
  /** Whether money limits the run. */
  readonly isCapped: boolean;
  readonly random: number;
  readonly isEnding: boolean;
}

/** What a usage event says, besides which call it is about. */
export type SettledCall = Omit<UsagePayload, "step" | "auxiliaryCallId">;

/** Attempts of one step or auxiliary call, with the same model. */
const maxModelAttempts = 4;

const noUsage: ModelUsage = { inputTokens: 0, outputTokens: 0, reasoningTokens: 0 };

/** Charges what was used, or the reservation if the provider did not say. */
export function settleCall(
  { attempt, model, reservedMicrousd }: StartedCall,
  usage: ModelUsage | undefined,
  { models }: SettleRules,
): SettledCall {
  const cost = usage ? costMicrousd(usage, models.byName.get(model)?.price) : reservedMicrousd;
  return { attempt, model, outcome: "settled", ...loggedUsage(usage), costMicrousd: cost };
}

/** Writes to the provider's cache are in the cost only. */
function loggedUsage(usage: ModelUsage | undefined): Omit<ModelUsage, "cacheWriteTokens"> {
  const { cacheWriteTokens: _, ...logged } = usage ?? noUsage;
  return logged;
}

/**
 * Charges a failed call, and decides whether it is repeated, when, and with which model. After its
 * attempts, an outage is answered with the last resort.
 */
export function settleFailure(
  call: StartedCall,
  failure: ModelFailure,
  {
    failedAttempts,
    now,
    rules,
    maxAttempts = maxModelAttempts,
  }: { failedAttempts: number; now: number; rules: SettleRules; maxAttempts?: number | undefined },
): SettledCall {
  const hasAttempts = failedAttempts + 1 < maxAttempts;
  const fallback = hasAttempts ? undefined : fallbackFor(failure, call.model, rules);
  const willRetry = failure.retryable && (hasAttempts || fallback !== undefined) && !rules.isEnding;
  const delayMs =
    fallback === undefined ? backoffMs(failedAttempts, rules.random, failure.retryAfterMs) : 0;
  const { attempt, model, reservedMicrousd } = call;
  return {
    attempt,
    model,
    outcome: failure.cost === "unknown" ? "lost" : "failed",
    ...loggedUsage(typeof failure.cost === "object" ? failure.cost : undefined),
    costMicrousd:
      failure.cost === "unknown"
        ? reservedMicrousd
        : failure.cost === "nothing"
          ? 0
          : costMicrousd(failure.cost, rules.models.byName.get(model)?.price),
    error: failure.error,
    ...(willRetry ? { retryAt: now + delayMs, ...omitUndefined({ nextModel: fallback }) } : {}),
  };
}

/** Charges the reservation of a call whose worker is gone, because its cost is unknown. */
export function settleLost(
  { attempt, model, reservedMicrousd, interrupted }: StartedCall,
  { failedAttempts, now, mayRetry }: { failedAttempts: number; now: number; mayRetry: boolean },
): SettledCall {
  const willRetry = mayRetry && (interrupted || failedAttempts + 1 < maxModelAttempts);
  return {
    attempt,
    model,
    outcome: "lost",
    ...noUsage,
    costMicrousd: reservedMicrousd,
    error: { code: "model_unavailable", why: { code: "call_lost" } },
    ...omitUndefined({ interrupted }),
    ...(willRetry ? { retryAt: now } : {}),
  };
}

/** Says in the log that a call is repeated. */
export function emitRepeated(
  draft: Draft,
  {
    error,
    retryAt,
    model,
    nextModel,
  }: Pick<SettledCall, "error" | "retryAt" | "model" | "nextModel">,
): void {
  if (retryAt === undefined || !error) return;
  if (nextModel !== undefined)
    return draft.emit({
      type: "log",
      payload: {
        level: "warn",
        kind: "model_replaced",
        wanted: model,
        model: nextModel,
        why: "unavailable",
      },
    });
  draft.emit({
    type: "log",
    payload: { level: "warn", kind: "model_retry", error, delayMs: Math.ceil(retryAt - draft.now) },
  });
}

/** The last resort, if the model has an outage and the run may use the last resort instead. */
function fallbackFor(
  { error }: ModelFailure,
  failed: string,
  { models: { lastResort }, isCapped }: SettleRules,
): string | undefined {
  const isUsable = lastResort && lastResort.name !== failed && (lastResort.price || !isCapped);
  return isUsable && isModelOutage(error) ? lastResort.name : undefined;
}
