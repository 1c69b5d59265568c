/**
 * The states of runs, actions, effects and approvals, and the table that maps between their
 * vocabularies.
 */

export const runStates = [
  "queued",
  "planning",
  "executing",
  "awaiting_confirmation",
  "awaiting_auth",
  "completed",
  "failed",
  "canceled",
] as const;
export type RunStatus = (typeof runStates)[number];

export function isTerminal(status: RunStatus): status is "completed" | "failed" | "canceled" {
  return status === "completed" || status === "failed" || status === "canceled";
}

export function isParked(status: RunStatus): status is "awaiting_confirmation" | "awaiting_auth" {
  return status === "awaiting_confirmation" || status === "awaiting_auth";
}

export type WebRunStatus =
  | "queued"
  | "running"
  | "needs_approval"
  | "needs_auth"
  | "succeeded"
  | "failed"
  | "canceled";

/** The statuses that Bron's own API and the CLI use. */
export const webStatusOf: Readonly<Record<RunStatus, WebRunStatus>> = {
  queued: "queued",
  planning: "running",
  executing: "running",
  awaiting_confirmation: "needs_approval",
  awaiting_auth: "needs_auth",
  completed: "succeeded",
  failed: "failed",
  canceled: "canceled",
};

type RuntimeRunStatus = Exclude<RunStatus, "awaiting_auth">;

/** The statuses that the agent runtime API uses. */
export const runtimeStatusOf: Readonly<Record<RunStatus, RuntimeRunStatus>> = {
  queued: "queued",
  planning: "planning",
  executing: "executing",
  awaiting_confirmation: "awaiting_confirmation",
  awaiting_auth: "awaiting_confirmation",
  completed: "completed",
  failed: "failed",
  canceled: "canceled",
};

export const actionStates = [
  "planned",
  "awaiting_confirmation",
  "executing",
  "completed",
  "failed",
  "rejected",
  "canceled",
  "unknown",
] as const;
export type ActionState = (typeof actionStates)[number];

/** An action ends in exactly one of these. */
export type ActionOutcome = Extract<
  ActionState,
  "completed" | "failed" | "rejected" | "canceled" | "unknown"
>;

export const effectStates = [
  "proposed",
  "awaiting_confirmation",
  "approved",
  "attempting",
  "done",
  "failed",
  "unknown",
  "rejected",
  "expired",
  "superseded",
  "canceled",
] as const;
export type EffectState = (typeof effectStates)[number];

export const actionStateOfEffect: Readonly<Record<EffectState, ActionState>> = {
  proposed: "planned",
  awaiting_confirmation: "awaiting_confirmation",
  approved: "planned",
  attempting: "executing",
  done: "completed",
  failed: "failed",
  unknown: "unknown",
  rejected: "rejected",
  expired: "rejected",
  superseded: "rejected",
  canceled: "canceled",
};

/** `used` means that the attempt has been recorded. The approval allows nothing more. */
export const approvalStates = [
  "pending",
  "approved",
  "used",
  "denied",
  "expired",
  "superseded",
  "canceled",
] as const;
export type ApprovalState = (typeof approvalStates)[number];

/**
 * The maximum when counting runs with a terminal status. Without it, the count would read every run
 * that an owner ever had.
 */
export const maxCountedRuns = 1_000;
