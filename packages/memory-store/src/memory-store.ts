import type { RuntimeStore } from "@bron/core";
import type { RunView } from "@bron/protocol";
import { memoryActivity } from "./memory-activity.ts";
import { memoryAskUses } from "./memory-ask-uses.ts";
import {
  memoryContacts,
  memoryModelKeys,
  memoryOauthClients,
  memoryOauthTokens,
} from "./memory-accounts.ts";
import { memoryApprovals } from "./memory-approvals.ts";
import { memoryArtifacts } from "./memory-artifacts.ts";
import { memoryBrons } from "./memory-brons.ts";
import { memoryBudgets } from "./memory-budgets.ts";
import { memoryClientActions } from "./memory-client-actions.ts";
import { memoryDenials } from "./memory-denials.ts";
import { memoryEffects } from "./memory-effects.ts";
import { memoryEntries } from "./memory-entries.ts";
import { memoryLoad, memoryPartialTexts, memoryUsedKeys } from "./memory-live.ts";
import { memoryRunLog } from "./memory-log.ts";
import { memoryMcpPins } from "./memory-mcp-pins.ts";
import { memoryPermissions } from "./memory-permissions.ts";
import { memoryQuestions } from "./memory-questions.ts";
import { memoryRuns } from "./memory-runs.ts";
import { createMemoryState, type MemoryStoreOptions } from "./memory-state.ts";
import { memorySkills } from "./memory-skills.ts";
import { memorySchedules } from "./memory-schedules.ts";
import { memoryThreads } from "./memory-threads.ts";
import { memoryUpkeep } from "./memory-upkeep.ts";
import { memoryUploads } from "./memory-uploads.ts";
import { memoryUsage } from "./memory-usage.ts";
import { memoryWorkers } from "./memory-workers.ts";
import { memoryWritten } from "./memory-written.ts";
import { openLog, readLog, type PortableLog } from "./portable-log.ts";

export interface MemoryStore extends RuntimeStore {
  /** Reads a run as data. Throws not_found. */
  readLog(run: { readonly ownerId: string; readonly runId: string }): PortableLog;
  /**
   * Adds a run that `readLog` of this or another store returned. An unfinished run continues here,
   * so it must not continue anywhere else. Throws conflict, store_full or invalid_input.
   */
  openLog(log: PortableLog): RunView;
}

/**
 * A bounded store in memory with the same contract as the Postgres store. The same contract suite
 * tests both.
 */
export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const state = createMemoryState(options);
  return {
    log: memoryRunLog(state),
    runs: memoryRuns(state),
    workers: memoryWorkers(state),
    approvals: memoryApprovals(state),
    questions: memoryQuestions(state),
    clientActions: memoryClientActions(state),
    artifacts: memoryArtifacts(state),
    uploads: memoryUploads(state),
    threads: memoryThreads(state),
    budgets: memoryBudgets(state),
    schedules: memorySchedules(state),
    effects: memoryEffects(state),
    audit: memoryActivity(state),
    askUses: memoryAskUses(state),
    denials: memoryDenials(state),
    written: memoryWritten(state),
    brons: memoryBrons(state),
    memory: memoryEntries(state),
    upkeep: memoryUpkeep(state),
    skills: memorySkills(state),
    permissions: memoryPermissions(state),
    partialTexts: memoryPartialTexts(state),
    usedKeys: memoryUsedKeys(state),
    usage: memoryUsage(state),
    contacts: memoryContacts(state),
    oauthTokens: memoryOauthTokens(state),
    modelKeys: memoryModelKeys(state),
    oauthClients: memoryOauthClients(state),
    mcpPins: memoryMcpPins(state),
    load: memoryLoad(state),
    feed: state.feed,
    setWaker(waker) {
      state.waker = waker;
    },
    readLog: (run) => readLog(state, run),
    openLog: (log) => openLog(state, log),
  };
}
