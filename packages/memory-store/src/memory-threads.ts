import {
  BronError,
  threadDeletedEntry,
  threadNotFound,
  threadUnderWay,
  type ListThreads,
  type Threads,
} from "@bron/core";
import { isParked, type ThreadView } from "@bron/protocol";
import { ensureBron, findBron } from "./memory-brons.ts";
import { forget } from "./memory-room.ts";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, stamp, type MemoryState, type MemoryThread } from "./memory-state.ts";
import { mostUrgentWait } from "./memory-waits.ts";

export function memoryThreads(state: MemoryState): Threads {
  return {
    list: async (ownerId, options) => listThreads(state, ownerId, options),
    get: async (ownerId, threadId) =>
      listThreads(state, ownerId, { idPrefix: threadId.toLowerCase(), limit: 1 }).find(
        ({ id }) => id === threadId.toLowerCase(),
      ),
    async rename(ownerId, threadId, title) {
      requireConversation(state, ownerId, threadId).title = title;
    },
    delete: async (ownerId, threadId) => deleteThread(state, ownerId, threadId),
    async tail(ownerId, threadId, beforeRunId, limit) {
      const thread = state.threads.get(threadId);
      if (thread?.ownerId !== ownerId) return [];
      const own = thread.messages.findIndex(({ runId }) => runId === beforeRunId);
      return thread.messages
        .slice(0, own === -1 ? 0 : own)
        .slice(-limit)
        .map(({ runId: _, ...message }) => message);
    },
    async profile(ownerId, bronId) {
      const bron = findBron(state, ownerId, bronId);
      return bron && { persona: bron.systemPrompt, aboutUser: bron.memorySummary };
    },
  };
}

/** Returns the thread of a new run. Creates a thread, and a first Bron, when none is named. */
export function resolveThread(
  state: MemoryState,
  ownerId: string,
  input: { readonly bronId?: string | undefined; readonly threadId?: string | undefined },
): MemoryThread {
  if (input.threadId !== undefined) {
    const thread = state.threads.get(input.threadId);
    if (thread?.ownerId !== ownerId) throw threadNotFound(input.threadId);
    if (input.bronId !== undefined && input.bronId !== thread.bronId)
      throw new BronError("invalid_input", "This thread belongs to another Bron.");
    return thread;
  }
  const { id: bronId } = ensureBron(state, ownerId, input.bronId);
  const thread: MemoryThread = {
    id: state.uuid(),
    ownerId,
    bronId,
    title: "",
    createdAt: stamp(state),
    updatedAt: null,
    messages: [],
  };
  state.threads.set(thread.id, thread);
  return thread;
}

/** Records that the owner wrote in the thread. The title of the first run becomes its title. */
export function markActivity(state: MemoryState, thread: MemoryThread, title = ""): void {
  thread.updatedAt = stamp(state);
  if (thread.title === "") thread.title = title;
}

function listThreads(
  state: MemoryState,
  ownerId: string,
  { idPrefix = "", limit, before }: ListThreads,
): ThreadView[] {
  const runs = Map.groupBy(runsOf(state, ownerId), ({ view }) => view.threadId);
  const waiting = waitingThreads(state, ownerId);
  return [...state.threads.values()]
    .filter((thread) => thread.ownerId === ownerId && thread.id.startsWith(idPrefix))
    .flatMap((thread) => {
      const own = runs.get(thread.id) ?? [];
      const waitsFor = mostUrgentWait(state, own);
      return viewOf(thread, own, { waitsForOwner: waiting.has(thread.id), waitsFor });
    })
    .toSorted((a, b) => compare(b, a))
    .filter((thread) => before === undefined || compare(thread, before) < 0)
    .slice(0, limit);
}

type Place = Pick<ThreadView, "updatedAt" | "id">;

function compare(a: Place, b: Place): number {
  const [first, second] = [a.updatedAt + a.id, b.updatedAt + b.id];
  return first < second ? -1 : first > second ? 1 : 0;
}

/** Empty for the thread of a child run. */
function viewOf(
  { id, title, bronId, createdAt, updatedAt }: MemoryThread,
  runs: readonly MemoryRun[],
  waits: Pick<ThreadView, "waitsForOwner" | "waitsFor">,
): ThreadView[] {
  const newest = runs.at(-1);
  if (updatedAt === null || !newest) return [];
  const { status, id: runId, title: runTitle, notDone, outcome } = newest.view;
  const latestRun = { id: runId, title: runTitle, notDone, outcome };
  return [
    {
      id,
      title,
      bronId,
      runCount: runs.length,
      status,
      latestRun,
      ...waits,
      createdAt,
      updatedAt,
    },
  ];
}

/** The threads of runs that wait for the owner, and of their parent runs. */
function waitingThreads(state: MemoryState, ownerId: string): ReadonlySet<string> {
  const threads = new Set<string>();
  for (const run of runsOf(state, ownerId)) {
    const { status, finishedAt } = run.view;
    const isAsked = [...run.approvals.values(), ...run.questions.values()].some(
      (one) => one.state === "pending",
    );
    if (finishedAt !== null || !(isParked(status) || isAsked)) continue;
    for (let next: MemoryRun | undefined = run; next;) {
      threads.add(next.view.threadId);
      next = state.runs.get(next.view.parentRunId ?? "");
    }
  }
  return threads;
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
