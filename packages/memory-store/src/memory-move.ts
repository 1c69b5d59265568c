import { BronError, checkMove, moveEvent, type MovableRun } from "@bron/core";
import { isTerminal, type Place, type RunView } from "@bron/protocol";
import { appendAndWake } from "./memory-appends.ts";
import type { MemoryRun } from "./memory-run.ts";
import { findRun, type MemoryState } from "./memory-state.ts";
import { shownRun } from "./memory-waits.ts";

/** Moves a run and its unfinished child runs. */
export function moveRun(
  state: MemoryState,
  ownerId: string,
  runId: string,
  place: Place | null,
): RunView {
  const root = findRun(state, ownerId, runId);
  if (!root) throw new BronError("not_found", `Run ${runId} not found.`);
  const below = runsBelow(state, root).filter(({ view }) => !isTerminal(view.status));
  const now = state.now();
  checkMove(
    movable(root, now),
    below.map((run) => movable(run, now)),
  );
  for (const run of [root, ...below]) appendAndWake(state, run, [moveEvent(ownerId, place)]);
  return shownRun(state, root);
}

function runsBelow(state: MemoryState, run: MemoryRun): MemoryRun[] {
  return [...state.runs.values()]
    .filter(({ view }) => view.parentRunId === run.view.id)
    .flatMap((child) => [child, ...runsBelow(state, child)]);
}

const movable = ({ view, lease }: MemoryRun, now: number): MovableRun => ({
  parentRunId: view.parentRunId,
  status: view.status,
  cancelRequested: view.cancelRequested,
  isHeld: lease !== undefined && lease.until >= now,
});
