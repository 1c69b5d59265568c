import { omitUndefined, type EventPayloads, type UsagePayload } from "@bron/protocol";
import { unreachable } from "../../errors.ts";
import type { AuxiliaryCall, RunState, StepRetry } from "./run-state.ts";

/** An auxiliary call changes neither the number of steps nor the messages of a run. */
export function withAuxiliaryCall(
  state: RunState,
  payload: EventPayloads["auxiliary_call"],
  at: number,
): RunState {
  const { callId, purpose } = payload;
  const known = state.auxiliaryCalls.get(purpose);
  const call: AuxiliaryCall = known?.callId === callId ? known : { callId, failedAttempts: 0 };
  switch (payload.phase) {
    case "start": {
      const { attempt, model, reservedMicrousd, activeMs } = payload;
      const { retry: _, ...rest } = call;
      const open = { attempt, model, reservedMicrousd };
      const { startedAt = at } = call;
      return { ...withCall(state, purpose, { ...rest, startedAt, open }), activeMs };
    }
    case "invalid": {
      const { text, problem, attempt, model } = payload;
      const retry = { attempt: attempt + 1, notBefore: 0, model };
      return withCall(state, purpose, { ...call, invalid: { text, problem }, retry });
    }
    case "end": {
      const { output, error } = payload;
      const { failedAttempts } = call;
      const result = error ? { error } : { output: output ?? null };
      return withCall(state, purpose, { callId, failedAttempts, result });
    }
    default:
      return unreachable(payload);
  }
}

export function withAuxiliaryUsage(before: RunState, payload: UsagePayload): RunState {
  const state = { ...before, spentMicrousd: before.spentMicrousd + payload.costMicrousd };
  const [purpose, call] =
    [...state.auxiliaryCalls].find(([, { callId }]) => callId === payload.auxiliaryCallId) ?? [];
  if (purpose === undefined || !call) return state;
  const { open: _, startedAt, ...rest } = call;
  const isLost = payload.error?.why?.code === "call_lost";
  const counted = isLost ? {} : omitUndefined({ startedAt });
  if (payload.outcome === "settled") return withCall(state, purpose, { ...rest, ...counted });
  const retry = retryOf(payload);
  return withCall(state, purpose, {
    ...rest,
    ...counted,
    failedAttempts: failedAttemptsAfter(call.failedAttempts, payload),
    ...omitUndefined({ retry }),
  });
}

/** Another model starts with all of its attempts. */
export function failedAttemptsAfter(
  before: number,
  { nextModel, interrupted }: Pick<UsagePayload, "nextModel" | "interrupted">,
): number {
  return nextModel === undefined ? before + (interrupted ? 0 : 1) : 0;
}

/** The attempt that follows a failed one, if there is to be one. */
export function retryOf({
  attempt,
  retryAt,
  model,
  nextModel,
}: UsagePayload): StepRetry | undefined {
  if (retryAt === undefined) return undefined;
  return { attempt: attempt + 1, notBefore: retryAt, model: nextModel ?? model };
}

function withCall(state: RunState, purpose: string, call: AuxiliaryCall): RunState {
  return { ...state, auxiliaryCalls: new Map(state.auxiliaryCalls).set(purpose, call) };
}
