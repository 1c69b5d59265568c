import {
  BronError,
  threadDeletedEntry,
  threadNotFound,
  threadUnderWay,
  type Threads,
} from "@bron/core";
import { omitUndefined } from "@bron/protocol";
import { ensureBron, findBron, requireActiveBron } from "./memory-brons.ts";
import { listThreads } from "./memory-thread-list.ts";
import { forget } from "./memory-room.ts";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, stamp, type MemoryState, type MemoryThread } from "./memory-state.ts";

export function memoryThreads(state: MemoryState): Threads {
  return {
    list: async (ownerId, options) => listThreads(state, ownerId, options),
    get: async (ownerId, threadId) =>
      listThreads(state, ownerId, { idPrefix: threadId.toLowerCase(), limit: 1 }).find(
        ({ id }) => id === threadId.toLowerCase(),
      ),
    async update(ownerId, threadId, { title, archived, pinned }) {
      const thread = requireConversation(state, ownerId, threadId);
      const since = (isOn: boolean | undefined, before: string | null) =>
        isOn === undefined ? before : isOn ? (before ?? stamp(state)) : null;
      thread.title = title ?? thread.title;
      thread.archivedAt = since(archived, thread.archivedAt);
      thread.pinnedAt = since(pinned, thread.pinnedAt);
    },
    delete: async (ownerId, threadId) => deleteThread(state, ownerId, threadId),
    async tail(ownerId, threadId, beforeRunId, limit) {
      const thread = state.threads.get(threadId);
      const own = thread?.messages.find(({ runId }) => runId === beforeRunId);
      const isPast = Number(thread?.older?.upTo) < Number(own?.id);
      const older = thread?.ownerId === ownerId && isPast ? thread.older : undefined;
      const before = messagesBefore(state, { ownerId, threadId, beforeRunId });
      const messages = limit === 0 ? [] : before.slice(-limit);
      return {
        messages: messages.map(({ runId: _, ...message }) => message),
        ...omitUndefined({ older }),
      };
    },
    typedBefore: async (ownerId, threadId, beforeRunId, limit) =>
      messagesBefore(state, { ownerId, threadId, beforeRunId })
        .filter(({ role, trusted }) => role === "user" && trusted)
        .slice(-limit)
        .map(({ content, asTyped }) => (asTyped ? { content, asTyped } : { content })),
    async profile(ownerId, bronId) {
      const bron = findBron(state, ownerId, bronId);
      return (
        bron && {
          persona: bron.systemPrompt,
          personaSource: bron.personaSource,
          aboutUser: bron.memorySummary,
        }
      );
    },
  };
}

function messagesBefore(
  state: MemoryState,
  place: { readonly ownerId: string; readonly threadId: string; readonly beforeRunId: string },
): MemoryThread["messages"] {
  const thread = state.threads.get(place.threadId);
  if (thread?.ownerId !== place.ownerId) return [];
  const own = thread.messages.findIndex(({ runId }) => runId === place.beforeRunId);
  return thread.messages.slice(0, Math.max(0, own));
}

/** Returns the thread of a new run. Creates a thread, and a first Bron, when none is named. */
export function resolveThread(
  state: MemoryState,
  ownerId: string,
  input: {
    readonly bronId?: string | undefined;
    readonly threadId?: string | undefined;
    readonly mayBeArchived?: boolean;
  },
): MemoryThread {
  if (input.threadId !== undefined) {
    const thread = state.threads.get(input.threadId);
    if (thread?.ownerId !== ownerId) throw threadNotFound(input.threadId);
    if (input.bronId !== undefined && input.bronId !== thread.bronId)
      throw new BronError("invalid_input", "This thread belongs to another Bron.");
    if (input.mayBeArchived !== true) requireActiveBron(ensureBron(state, ownerId, thread.bronId));
    return thread;
  }
  const bron = ensureBron(state, ownerId, input.bronId);
  if (input.mayBeArchived !== true) requireActiveBron(bron);
  const { id: bronId } = bron;
  const thread: MemoryThread = {
    id: state.uuid(),
    ownerId,
    bronId,
    title: "",
    createdAt: stamp(state),
    updatedAt: null,
    archivedAt: null,
    pinnedAt: null,
    messages: [],
    older: undefined,
  };
  state.threads.set(thread.id, thread);
  return thread;
}

/**
 * Records that the owner wrote in the thread, which takes it out of the archive. The title of the
 * first run becomes its title.
 */
export function markActivity(state: MemoryState, thread: MemoryThread, title = ""): void {
  thread.updatedAt = stamp(state);
  thread.archivedAt = null;
  if (thread.title === "") thread.title = title;
}

function requireConversation(state: MemoryState, ownerId: string, threadId: string): MemoryThread {
  const thread = state.threads.get(threadId.toLowerCase());
  if (thread?.ownerId !== ownerId || thread.updatedAt === null) throw threadNotFound(threadId);
  return thread;
}

function deleteThread(state: MemoryState, ownerId: string, threadId: string): void {
  const { id, bronId } = requireConversation(state, ownerId, threadId);
  const runs = runsWithChildren(state, ownerId, id);
  // A run is needed until it has ended and its parent run has ended as well.
  const underWay = runs.filter(({ view }) =>
    [view, state.runs.get(view.parentRunId ?? "")?.view].some((one) => one?.finishedAt === null),
  );
  if (underWay.length > 0) throw threadUnderWay(underWay.map(({ view }) => view.id));
  for (const run of runs) forget(state, run);
  state.threads.delete(id);
  state.audit.add(ownerId, [threadDeletedEntry({ threadId: id, bronId, runs: runs.length })]);
}

/** The runs of the thread and all their child runs. */
function runsWithChildren(state: MemoryState, ownerId: string, threadId: string): MemoryRun[] {
  const found = new Set<string>();
  // A parent run is always older than its child runs.
  return runsOf(state, ownerId).filter(({ view }) => {
    const isFound = view.threadId === threadId || found.has(view.parentRunId ?? "");
    if (isFound) found.add(view.id);
    return isFound;
  });
}
