import {
  isTerminal,
  omitUndefined,
  type ApprovalPayload,
  type ApprovalView,
  type ClosingReason,
  type ErrorCode,
  type JsonObject,
  type NewEvent,
  type RunStatus,
} from "@bron/protocol";
import { BronError, requestError, unreachable } from "../errors.ts";
import type { ApprovalChoice } from "../ports/runs/approvals.ts";

/** How an approval is closed: by the owner, or by its expiry. `pending` undoes a denial. */
export type Closing =
  | { readonly state: "approved"; readonly reason?: string; readonly undoMs?: number }
  | {
      readonly state: "denied";
      readonly reason?: string;
      readonly reply?: string;
      readonly context?: readonly string[];
      readonly program?: string;
      readonly undone?: true;
      readonly undoMs?: number;
    }
  | { readonly state: "pending"; readonly reopened: true }
  | { readonly state: "superseded"; readonly edit: JsonObject; readonly program?: string }
  | { readonly state: "expired" };

/** A reply counts for a denial only. It is a message to the run, so it cannot be undone. */
export function closingOf(choice: ApprovalChoice): Closing {
  const { approved, reason, reply, context, program } = choice;
  const undoMs =
    choice.undoMs !== undefined && choice.undoMs > 0 && reply === undefined
      ? choice.undoMs
      : undefined;
  return approved
    ? { state: "approved", ...omitUndefined({ reason, undoMs }) }
    : { state: "denied", ...omitUndefined({ reason, reply, context, program, undoMs }) };
}

/** What takes back the decision on an approval in this state. */
export function undoing(state: ApprovalView["state"]): Closing {
  return state === "denied"
    ? { state: "pending", reopened: true }
    : { state: "denied", undone: true };
}

/**
 * `closed`: it has been closed already. `due`: it has expired. `not_due`: it has not expired yet.
 * `late`: the time for undo is over. `mismatch`: the owner saw another form. `over`: the run has
 * ended.
 */
export type ClosingOutcome = "done" | "closed" | "due" | "not_due" | "late" | "mismatch" | "over";

export interface ClosingFacts {
  readonly approval: Pick<
    ApprovalView,
    "state" | "digest" | "expiresAt" | "undoUntil" | "reopenUntil"
  >;
  readonly closing: Closing;
  readonly runStatus: RunStatus;
  /** The digest of the form that the owner saw, if a form was shown. */
  readonly seenDigest?: string | undefined;
  /** By the clock of the store, in epoch milliseconds. */
  readonly now: number;
}

/**
 * Whether an approval can be closed in this way. The function `close_approval` of the Postgres
 * store repeats this rule, because it must decide in the statement that locks the run.
 */
export function closingOutcome({
  approval,
  closing,
  runStatus,
  seenDigest,
  now,
}: ClosingFacts): ClosingOutcome {
  const undone = undoneState(closing);
  if (approval.state !== (undone ?? "pending")) return "closed";
  if (undone !== undefined) {
    const until = undone === "approved" ? approval.undoUntil : approval.reopenUntil;
    if (until === null || Date.parse(until) <= now) return "late";
  } else {
    const isDue = Date.parse(approval.expiresAt) <= now;
    if (isDue !== (closing.state === "expired")) return isDue ? "due" : "not_due";
    if (seenDigest !== undefined && seenDigest !== approval.digest) return "mismatch";
  }
  // An approval of a run that has ended can still expire, but nothing else.
  return isTerminal(runStatus) && closing.state !== "expired" ? "over" : "done";
}

/** The decision that is taken back, if one is. */
function undoneState(closing: Closing): "approved" | "denied" | undefined {
  if (closing.state === "pending") return "denied";
  return closing.state === "denied" && closing.undone === true ? "approved" : undefined;
}

/** The error for an owner whose approval, denial, edit or undo was not accepted. */
export function closingError(
  outcome: Exclude<ClosingOutcome, "done">,
  { state, digest }: Pick<ApprovalView, "state" | "digest">,
): BronError {
  switch (outcome) {
    case "closed":
      return notAccepted("approval_closed", { code: "already_closed", state }, { state });
    case "due":
      return notAccepted(
        "approval_closed",
        { code: "already_closed", state: "expired" },
        { state: "expired" },
      );
    case "late":
      return notAccepted("approval_closed", { code: "undo_too_late" }, { state });
    case "mismatch":
      return notAccepted("digest_mismatch", { code: "content_changed" }, { digest });
    case "over":
      return notAccepted("approval_closed", { code: "task_ended" });
    case "not_due":
      return new BronError("internal", "Only an expiry can be not due yet");
    default:
      return unreachable(outcome);
  }
}

function notAccepted(code: ErrorCode, why: ClosingReason, details: JsonObject = {}): BronError {
  return requestError(code, why, { details });
}

/**
 * The event for the run's log. Its entry in the audit log is that of `auditEntries`. The store adds
 * `undoUntil` or `reopenUntil`, and the later `expiresAt`, of a decision that can be undone, by its
 * own clock.
 */
export function closingEvent(
  approval: Pick<ApprovalView, "id" | "actionId" | "effectId" | "tool" | "digest">,
  closing: Closing,
  ownerId: string,
): Extract<NewEvent, { type: "approval" }> {
  const { id: approvalId, actionId, effectId, tool, digest } = approval;
  const payload: ApprovalPayload = {
    approvalId,
    actionId,
    effectId,
    tool,
    digest,
    ...said(closing),
  };
  return {
    type: "approval",
    payload: closing.state === "expired" ? payload : { ...payload, by: ownerId },
  };
}

/** The length of the time for undo is not part of the event, only its end is. */
function said(
  closing: Closing,
): Pick<
  ApprovalPayload,
  "state" | "reason" | "reply" | "context" | "program" | "edit" | "undone" | "reopened"
> {
  if (closing.state !== "approved" && closing.state !== "denied") return closing;
  const { undoMs: _, ...rest } = closing;
  return rest;
}
