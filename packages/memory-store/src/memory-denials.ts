import type { Denial, Denials } from "@bron/core";
import type { ApprovalView } from "@bron/protocol";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, type MemoryState } from "./memory-state.ts";

export function memoryDenials(state: MemoryState): Denials {
  return {
    list: async ({ ownerId, rootRunId }) =>
      runsOfTask(runsOf(state, ownerId), rootRunId).flatMap((run) => [
        ...[...run.approvals.values()]
          .filter((approval) => approval.state === "denied")
          .map(toDenial),
        ...undoneEffects(run),
      ]),
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

/** Effects that needed no approval and were undone. */
function undoneEffects({ effects, prepared, events }: MemoryRun): Denial[] {
  return events.flatMap(({ type, payload, createdAt }) => {
    const effect = type === "effect" && payload.undone ? effects.get(payload.effectId) : undefined;
    if (!effect) return [];
    const { id, tool } = effect;
    const decidedAt = Date.parse(createdAt);
    return [{ tool, prepared: prepared.get(id) ?? null, cause: "undone", words: "", decidedAt }];
  });
}
