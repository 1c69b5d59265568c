import type { Projection } from "@bron/core";
import type { MemoryRun } from "./memory-run.ts";
import { stamp, type MemoryBron, type MemoryState } from "./memory-state.ts";

/** Before the summary changes. An upkeep run that has read the old one does not replace it. */
export function keepSummary(state: MemoryState, bron: MemoryBron): void {
  bron.memoryBefore = bron.memorySummary;
  bron.memoryVersion++;
  bron.memoryUpdatedAt = stamp(state);
}

/** Applies what the append statement does for summaries. */
export function applySummaries(
  state: MemoryState,
  run: MemoryRun,
  { memorySummaries, threadSummaries }: Projection,
): void {
  const { bronId, threadId } = run.view;
  for (const { text, version } of memorySummaries) {
    const bron = state.brons.get(bronId);
    if (bron?.memoryOn && bron.memoryVersion === version) {
      keepSummary(state, bron);
      bron.memorySummary = text;
    } else {
      // Another upkeep run repeats it.
      for (const one of state.runs.values())
        if (one.upkeepRunId === run.view.id)
          Object.assign(one, { upkeepDue: true, upkeepRunId: undefined });
    }
  }
  const thread = state.threads.get(threadId);
  for (const summary of threadSummaries)
    if (thread && Number(thread.older?.upTo ?? 0) < Number(summary.upTo)) thread.older = summary;
}
