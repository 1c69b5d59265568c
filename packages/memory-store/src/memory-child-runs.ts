import { childRunReport, childRunUpkeep, reportedStatusOf } from "@bron/core";
import { appendAndWake } from "./memory-appends.ts";
import { cancelTree } from "./memory-cancel.ts";
import type { MemoryState } from "./memory-state.ts";

export function notifyParents(state: MemoryState, only: readonly string[] | undefined): number {
  let notified = 0;
  for (const child of state.runs.values()) {
    const { id, parentRunId, status, cancelRequested } = child.view;
    const parent = parentRunId === null ? undefined : state.runs.get(parentRunId);
    if (!parent || (only && !only.includes(id) && !only.includes(parent.view.id))) continue;
    const upkeep = childRunUpkeep({
      status,
      parentStatus: parent.view.status,
      cancelRequested,
      reported: child.reportedToParent,
    });
    if (upkeep === "nothing") continue;
    notified++;
    if (upkeep === "cancel") {
      cancelTree(state, child, { cause: "parent_ended" });
      continue;
    }
    appendAndWake(state, parent, [childRunReport(child.view)]);
    child.reportedToParent = reportedStatusOf(status);
  }
  return notified;
}
