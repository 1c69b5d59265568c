import type { Denial, Denials } from "@bron/core";
import type { ApprovalView } from "@bron/protocol";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, type MemoryState } from "./memory-state.ts";

export function memoryDenials(state: MemoryState): Denials {
  return {
    list: async ({ ownerId, rootRunId }) =>
      runsOfTask(runsOf(state, ownerId), rootRunId)
        .flatMap(({ approvals }) => [...approvals.values()])
        .filter((approval) => approval.state === "denied")
        .map(toDenial),
  };
}

/** The run, the runs below it, and those of the runs that it retries. */
function runsOfTask(all: readonly MemoryRun[], rootRunId: string): MemoryRun[] {
  const found = new Set<MemoryRun>(all.filter(({ view }) => view.id === rootRunId));
  // A set also visits what is added meanwhile.
  for (const { view } of found)
    for (const run of all)
      if (run.view.parentRunId === view.id || run.view.id === view.retryOf) found.add(run);
  return [...found];
}

/** Only an approval that was given before it was denied has a time for undo. */
function toDenial({
  tool,
  prepared,
  reply,
  decisionReason,
  undoUntil,
  decidedAt,
}: ApprovalView): Denial {
  return {
    tool,
    prepared,
    cause: reply !== null ? "replied" : undoUntil !== null ? "undone" : "denied",
    words: reply ?? decisionReason ?? "",
    decidedAt: Date.parse(decidedAt ?? ""),
  };
}
