import { isParked, isTerminal, type NewEvent, type RunStatus, type RunView } from "@bron/protocol";

/** What a parent run has recorded about its child run. */
export type ReportedStatus = "running" | "waiting" | "over";

export function reportedStatusOf(status: RunStatus): ReportedStatus {
  return isTerminal(status) ? "over" : isParked(status) ? "waiting" : "running";
}

export interface ChildRunFacts {
  readonly status: RunStatus;
  readonly parentStatus: RunStatus;
  readonly cancelRequested: boolean;
  /** What the parent has recorded so far. */
  readonly reported: ReportedStatus;
}

/**
 * `report` the status to the parent if it changed. `cancel` a child run whose parent has ended,
 * because its result can no longer be used.
 */
export function childRunUpkeep({
  status,
  parentStatus,
  cancelRequested,
  reported,
}: ChildRunFacts): "report" | "cancel" | "nothing" {
  if (isTerminal(parentStatus) && !isTerminal(status))
    return cancelRequested ? "nothing" : "cancel";
  return reported === reportedStatusOf(status) ? "nothing" : "report";
}

/** The event in the parent's log about the status of a child run. */
export function childRunReport({
  id,
  title,
  status,
  error,
  notDone,
  outcome,
}: Pick<RunView, "id" | "title" | "status" | "error" | "notDone" | "outcome">): NewEvent {
  return {
    type: "child_run",
    payload: {
      childRunId: id,
      title,
      status,
      ...(error ? { error } : {}),
      ...(notDone > 0 ? { notDone } : {}),
      ...(outcome ? { outcome } : {}),
    },
  };
}
