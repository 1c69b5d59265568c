import { crossOutAsk } from "./memory-ask-uses.ts";
import {
  actionDetails,
  BronError,
  checkSameMessage,
  ownerMessageEvent,
  type ListRuns,
  type Runs,
} from "@bron/core";
import { isTerminal, maxCountedRuns, type RunStatus, type RunView } from "@bron/protocol";
import { appendAndWake } from "./memory-appends.ts";
import { countAsking, listApprovals } from "./memory-approvals.ts";
import { cancelAll, cancelTree } from "./memory-cancel.ts";
import { moveRun } from "./memory-move.ts";
import { notifyParents } from "./memory-child-runs.ts";
import { createRun } from "./memory-create-run.ts";
import { findRun, runsOf, type MemoryState } from "./memory-state.ts";
import { markActivity } from "./memory-threads.ts";
import { shownRun } from "./memory-waits.ts";

export function memoryRuns(state: MemoryState): Runs {
  return {
    create: async (run) => createRun(state, run),
    async get(ownerId, runId) {
      const run = findRun(state, ownerId, runId);
      return run && shownRun(state, run);
    },
    list: async (ownerId, options) => listRuns(state, ownerId, options),
    async changes(ownerIds, { runIds, active = false }) {
      const asked = [...state.runs.values()].filter(
        ({ view, kind }) =>
          kind === undefined &&
          ownerIds.includes(view.ownerId) &&
          (runIds.includes(view.id) || (active && !isTerminal(view.status))),
      );
      return asked.map((run) => ({
        run: shownRun(state, run),
        pendingApprovals: countAsking(state, listApprovals(state, run.view.ownerId, {})),
      }));
    },
    events: async (ownerId, runId, afterSeq, limit = 1_000) =>
      structuredClone(
        findRun(state, ownerId, runId)?.events.slice(afterSeq, afterSeq + limit) ?? [],
      ),
    counts: async (ownerId) => countRuns(state, ownerId),
    async actions(ownerId, runId) {
      const run = findRun(state, ownerId, runId);
      const details = actionDetails(run?.events ?? []);
      return [...(run?.actions.values() ?? [])].map(({ view }) => ({
        ...view,
        ...details.get(view.id),
      }));
    },
    effects: async (ownerId, runId) => [
      ...(findRun(state, ownerId, runId)?.effects.values() ?? []),
    ],
    async announceConnected(ownerId, provider) {
      const started = runsOf(state, ownerId).filter(
        ({ view }) => view.status !== "queued" && !isTerminal(view.status),
      );
      for (const run of started)
        appendAndWake(state, run, [{ type: "auth", payload: { state: "connected", provider } }]);
      return started.length;
    },
    notifyParents: async (only) => notifyParents(state, only),
    async addMessage(ownerId, runId, message) {
      const run = findRun(state, ownerId, runId);
      if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
      for (const event of run.events)
        if (event.type === "owner_message" && event.payload.messageId === message.messageId) {
          checkSameMessage(event.payload, message);
          return true;
        }
      const isAppended = appendAndWake(state, run, [ownerMessageEvent(ownerId, message)]);
      const thread = state.threads.get(run.view.threadId);
      if (isAppended && thread && thread.updatedAt !== null) markActivity(state, thread);
      return isAppended;
    },
    crossOutAsk: async (ownerId, rootRunId, key) => crossOutAsk(state, { ownerId, rootRunId }, key),
    async requestCancel(ownerId, runId, reason) {
      const run = findRun(state, ownerId, runId);
      if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
      return cancelTree(state, run, { reason });
    },
    move: async (ownerId, runId, place) => moveRun(state, ownerId, runId, place),
    requestCancelAll: async (ownerId, reason) => cancelAll(state, ownerId, reason),
  };
}

function listRuns(
  state: MemoryState,
  ownerId: string,
  { status, bronId, threadId, parentRunId, idPrefix = "", limit = 50, before }: ListRuns,
): RunView[] {
  const newestFirst = runsOf(state, ownerId).toReversed();
  const found = newestFirst.findIndex(({ view }) => view.id === before);
  if (before !== undefined && found === -1) return [];
  return newestFirst
    .slice(found + 1)
    .filter(
      ({ view, kind }) =>
        kind === undefined &&
        view.id.startsWith(idPrefix) &&
        (status === undefined || view.status === status) &&
        (bronId === undefined || view.bronId === bronId) &&
        (threadId === undefined || view.threadId === threadId) &&
        (parentRunId === undefined || view.parentRunId === parentRunId),
    )
    .slice(0, limit)
    .map((run) => shownRun(state, run));
}

function countRuns(state: MemoryState, ownerId: string): Partial<Record<RunStatus, number>> {
  const counts: Partial<Record<RunStatus, number>> = {};
  for (const { view, kind } of runsOf(state, ownerId)) {
    if (kind !== undefined) continue;
    const before = counts[view.status] ?? 0;
    if (!(isTerminal(view.status) && before === maxCountedRuns)) counts[view.status] = before + 1;
  }
  return counts;
}
