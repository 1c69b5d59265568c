import { canceledAllEntry, cancelEvent, type Cancellation } from "@bron/core";
import { isTerminal } from "@bron/protocol";
import { appendAndWake } from "./memory-appends.ts";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, type MemoryState } from "./memory-state.ts";

type Why = Omit<Cancellation, "ownerId">;

/** Returns whether the run itself was canceled by this call. */
export function cancelTree(state: MemoryState, run: MemoryRun, why: Why): boolean {
  for (const child of state.runs.values())
    if (child.view.parentRunId === run.view.id) cancelTree(state, child, why);
  return cancelOne(state, run, why);
}

/** Returns the ids of the runs that were canceled. */
export function cancelAll(
  state: MemoryState,
  ownerId: string,
  reason: string | undefined,
): string[] {
  const canceled = runsOf(state, ownerId)
    .filter((run) => cancelOne(state, run, { reason }))
    .map(({ view }) => view.id);
  state.audit.add(ownerId, [canceledAllEntry({ ownerId, reason }, canceled.length)]);
  return canceled.toSorted();
}

function cancelOne(state: MemoryState, run: MemoryRun, why: Why): boolean {
  const { status, cancelRequested, ownerId } = run.view;
  if (isTerminal(status) || cancelRequested) return false;
  return appendAndWake(state, run, [cancelEvent({ ownerId, ...why })]);
}
