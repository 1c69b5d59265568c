import {
  cleanJson,
  currentText,
  type LoadSource,
  type PartialTextStore,
  type UsedKeys,
} from "@bron/core";
import { isTerminal, type RunStatus } from "@bron/protocol";
import { findRun, type MemoryState } from "./memory-state.ts";

export function memoryPartialTexts(state: MemoryState): PartialTextStore {
  const { partialTexts, runs } = state;
  return {
    async put(texts) {
      for (const [runId, partialText] of texts)
        if (runs.has(runId)) partialTexts.set(runId, cleanJson(partialText));
    },
    async remove(runIds) {
      for (const runId of runIds) partialTexts.delete(runId);
    },
    async get(ownerId, runId) {
      const run = findRun(state, ownerId, runId);
      const stored = partialTexts.get(runId);
      return run && stored && currentText(stored, run.view.status);
    },
  };
}

/** Forgets the oldest keys beyond the limit. */
export function memoryUsedKeys({ usedKeys, limits }: MemoryState): UsedKeys {
  return {
    async useOnce(key) {
      if (usedKeys.has(key)) return false;
      usedKeys.add(key);
      for (const oldest of usedKeys) {
        if (usedKeys.size <= limits.maxUsedKeys) break;
        usedKeys.delete(oldest);
      }
      return true;
    },
    wasUsed: async (key) => usedKeys.has(key),
  };
}

export function memoryLoad({ runs, now }: MemoryState): LoadSource {
  return {
    ping: () => Promise.resolve(),
    async load() {
      const unfinished = [...runs.values()].filter(({ view }) => !isTerminal(view.status));
      const counts: Partial<Record<RunStatus, number>> = {};
      for (const { view } of unfinished) counts[view.status] = (counts[view.status] ?? 0) + 1;
      const waitingSince = unfinished
        .filter(
          ({ runnable, lease, wakeAt }) =>
            runnable && (!lease || lease.until < now()) && wakeAt <= now(),
        )
        .map(({ view, wakeAt, markedAt, lease }) =>
          Math.max(Date.parse(view.createdAt), wakeAt, markedAt, lease?.until ?? 0),
        );
      return {
        runs: counts,
        approvalsPending: [...runs.values()]
          .flatMap(({ approvals }) => [...approvals.values()])
          .filter(({ state }) => state === "pending").length,
        oldestWaitingSeconds: Math.max(0, ...waitingSince.map((since) => (now() - since) / 1_000)),
      };
    },
  };
}
