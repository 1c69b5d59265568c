import { isTerminal, type NewEvent, type Place, type RunStatus } from "@bron/protocol";
import { requestError } from "../../errors.ts";

/** A run that the owner wants to move, as its row describes it. */
export interface MovableRun {
  readonly parentRunId: string | null;
  readonly status: RunStatus;
  readonly cancelRequested: boolean;
  /** A live worker holds it. */
  readonly isHeld: boolean;
}

/** Throws conflict unless the run, with its child runs, can be moved now. */
export function checkMove(run: MovableRun, childRuns: readonly MovableRun[]): void {
  if (run.parentRunId !== null) throw requestError("conflict", { code: "child_run_moved" });
  if (isTerminal(run.status)) throw requestError("conflict", { code: "task_ended" });
  if (run.cancelRequested) throw requestError("conflict", { code: "task_stopped" });
  if ([run, ...childRuns].some(({ isHeld }) => isHeld))
    throw requestError("conflict", { code: "task_held" });
}

export function moveEvent(ownerId: string, place: Place | null): NewEvent {
  return { type: "place", payload: { place, by: ownerId } };
}
