import { BronError } from "@bron/core";
import { removeUnusedBlobs } from "./memory-blobs.ts";
import type { MemoryRun } from "./memory-run.ts";
import type { MemoryState } from "./memory-state.ts";

interface Room {
  readonly runs?: number;
  readonly bytes?: number;
  /** What a new run refers to. It is not forgotten. */
  readonly keep?: { readonly runId?: string | undefined; readonly threadId?: string | undefined };
}

/**
 * Forgets finished runs until there is room, those that finished first. Throws store_full if the
 * unfinished runs leave no room.
 */
export function requireRoom(state: MemoryState, room: Room): void {
  if (makeRoom(state, room)) return;
  throw new BronError(
    "store_full",
    `This store is full: ${state.runs.size} tasks with ${state.bytes} bytes.`,
    { details: { runs: state.runs.size, bytes: state.bytes } },
  );
}

/** Like `requireRoom`, for writes that must not fail. Returns whether there is room. */
export function makeRoom(state: MemoryState, { runs = 0, bytes = 0, keep = {} }: Room): boolean {
  const { maxRuns, maxBytes } = state.limits;
  const hasRoom = () => state.runs.size + runs <= maxRuns && state.bytes + bytes <= maxBytes;
  if (hasRoom()) return true;
  for (const tree of forgettableTrees(state, keep.runId)) {
    for (const run of tree) forget(state, run, keep.threadId);
    if (hasRoom()) return true;
  }
  return false;
}

/**
 * Finished runs with all of their child runs, those that finished first at the start. Runs that an
 * unfinished run retries are kept, because it must not repeat their effects.
 */
function forgettableTrees({ runs }: MemoryState, keepId: string | undefined): MemoryRun[][] {
  const trees = Map.groupBy(runs.values(), (run) => rootOf(runs, run).view.id);
  const needed = new Set<string>();
  addRetried(runs, keepId, needed);
  const finished: { readonly tree: MemoryRun[]; readonly at: string }[] = [];
  for (const tree of trees.values()) {
    if (tree.every(({ view }) => view.finishedAt !== null))
      finished.push({ tree, at: tree[0]?.view.finishedAt ?? "" });
    else for (const { view } of tree) addRetried(runs, view.retryOf, needed);
  }
  return finished
    .filter(({ tree }) => !tree.some(({ view }) => needed.has(view.id)))
    .toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    .map(({ tree }) => tree);
}

function rootOf(runs: MemoryState["runs"], run: MemoryRun): MemoryRun {
  const parent = runs.get(run.view.parentRunId ?? "");
  return parent ? rootOf(runs, parent) : run;
}

function addRetried(
  runs: MemoryState["runs"],
  runId: string | null | undefined,
  needed: Set<string>,
): void {
  for (let run = runs.get(runId ?? ""); run && !needed.has(run.view.id);) {
    needed.add(run.view.id);
    run = runs.get(run.view.retryOf ?? "");
  }
}

/** Removes a run, and its thread unless another run or `keepThreadId` needs it. */
export function forget(state: MemoryState, run: MemoryRun, keepThreadId?: string): void {
  const { id, ownerId, threadId } = run.view;
  state.runs.delete(id);
  state.partialTexts.delete(id);
  state.bytes -= run.bytes;
  const thread = state.threads.get(threadId);
  if (thread) thread.messages = thread.messages.filter(({ runId }) => runId !== id);
  const isThreadUsed = [...state.runs.values()].some(({ view }) => view.threadId === threadId);
  if (!isThreadUsed && threadId !== keepThreadId) state.threads.delete(threadId);
  for (const [uploadId, { view }] of state.uploads)
    if (view.runId === id) state.uploads.delete(uploadId);
  removeUnusedBlobs(state, ownerId, [
    ...run.storedDigests,
    ...run.artifacts.map(({ digest }) => digest),
  ]);
}
