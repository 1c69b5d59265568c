import { isParked, isTerminal } from "@bron/protocol";
import { appendAndWake } from "./memory-appends.ts";
import { cancelTree } from "./memory-cancel.ts";
import type { MemoryState } from "./memory-state.ts";

export function notifyParents(state: MemoryState, only: readonly string[] | undefined): number {
  let notified = 0;
  for (const child of state.runs.values()) {
    const { id, parentRunId, title, status, error, notDone, cancelRequested } = child.view;
    const parent = parentRunId === null ? undefined : state.runs.get(parentRunId);
    if (!parent || (only && !only.includes(id) && !only.includes(parent.view.id))) continue;
    const phase = isTerminal(status) ? "finished" : isParked(status) ? "waiting" : "running";
    const isOrphaned = isTerminal(parent.view.status) && !isTerminal(status);
    if (isOrphaned ? cancelRequested : child.reportedToParent === phase) continue;
    notified++;
    if (isOrphaned) {
      cancelTree(state, child, "The parent task has ended.");
      continue;
    }
    appendAndWake(state, parent, [
      {
        type: "child_run",
        payload: {
          childRunId: id,
          title,
          status,
          ...(error ? { error } : {}),
          ...(notDone > 0 ? { notDone } : {}),
        },
      },
    ]);
    child.reportedToParent = phase;
  }
  return notified;
}
