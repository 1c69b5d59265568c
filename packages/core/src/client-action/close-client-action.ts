import {
  isTerminal,
  type ClientActionView,
  type JsonValue,
  type NewEvent,
  type RunStatus,
} from "@bron/protocol";
import { requestError } from "../errors.ts";

/** A client action as its row describes it. */
export interface ClientActionRow extends ClientActionView {
  readonly secretHash: string;
  /** The hash of the key of the request that took it. */
  readonly takenBy: string | null;
}

/** The run of a client action, and the clock of the store in epoch milliseconds. */
export interface ClientActionMoment {
  readonly status: RunStatus;
  readonly cancelRequested: boolean;
  readonly now: number;
}

type ClientActionEvent = Extract<NewEvent, { type: "client_action" }>;

/** What a program reported, as the log has it. */
export type ClientResult = { readonly result: JsonValue } | { readonly error: string };

const isLate = ({ state, expiresAt }: ClientActionRow, { status, now }: ClientActionMoment) =>
  isTerminal(status) || state === "expired" || state === "canceled" || Date.parse(expiresAt) <= now;

const tooLate = () => requestError("conflict", { code: "action_late" });

/**
 * The event with which a program takes an action, or undefined if the same request has taken it
 * already. Throws conflict.
 */
export function takeEvent(
  action: ClientActionRow,
  takenBy: string,
  moment: ClientActionMoment,
): ClientActionEvent | undefined {
  if (action.state === "finished" || isLate(action, moment)) throw tooLate();
  if (action.state === "taken") {
    if (action.takenBy === takenBy) return undefined;
    throw requestError("conflict", { code: "action_taken" });
  }
  // Nothing starts after a cancellation.
  if (moment.cancelRequested) throw requestError("conflict", { code: "task_stopped" });
  return {
    type: "client_action",
    payload: { actionId: action.id, state: "taken", takenBy },
  };
}

/**
 * The event with which a program finishes an action. The secret is checked first, so that a caller
 * without it learns nothing. Throws forbidden or conflict.
 */
export function finishEvent(
  action: ClientActionRow,
  { secretHash, ...report }: { readonly secretHash: string } & ClientResult,
  moment: ClientActionMoment,
): ClientActionEvent {
  if (action.secretHash !== secretHash || action.state === "pending")
    throw requestError("forbidden", { code: "secret_wrong" });
  if (action.state === "finished") throw requestError("conflict", { code: "action_finished" });
  if (isLate(action, moment)) throw tooLate();
  return {
    type: "client_action",
    payload: { actionId: action.id, state: "finished", ...report },
  };
}

/** The event for an action whose deadline has passed, or undefined if there is nothing to expire. */
export function expiryEvent(
  { id, state, expiresAt }: ClientActionRow,
  { status, now }: ClientActionMoment,
): ClientActionEvent | undefined {
  const isOpen = state === "pending" || state === "taken";
  if (!isOpen || isTerminal(status) || Date.parse(expiresAt) > now) return undefined;
  return { type: "client_action", payload: { actionId: id, state: "expired" } };
}
