import type { Store } from "@bron/core";
import { memoryApprovals } from "./memory-approvals.ts";
import { memoryArtifacts } from "./memory-artifacts.ts";
import { memoryBudgets } from "./memory-budgets.ts";
import { memoryEffects } from "./memory-effects.ts";
import { memoryRunLog } from "./memory-log.ts";
import { memoryRuns } from "./memory-runs.ts";
import { createMemoryState, type MemoryStoreOptions } from "./memory-state.ts";
import { memoryThreads } from "./memory-threads.ts";
import { memoryUploads } from "./memory-uploads.ts";

/**
 * An in-memory store with the same contract as the Postgres store. The same contract suite tests
 * both.
 */
export function createMemoryStore(options: MemoryStoreOptions): Store {
  const state = createMemoryState(options);
  const { write, list } = state.audit;
  return {
    log: memoryRunLog(state),
    runs: memoryRuns(state),
    approvals: memoryApprovals(state),
    artifacts: memoryArtifacts(state),
    uploads: memoryUploads(state),
    threads: memoryThreads(state),
    budgets: memoryBudgets(state),
    effects: memoryEffects(state),
    audit: { write, list },
  };
}
