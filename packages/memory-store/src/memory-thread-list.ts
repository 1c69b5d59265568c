import { hasWords, sentText, snippetOf, type ListThreads, type ThreadPlace } from "@bron/core";
import { isParked, outcomeByCount, type ThreadState, type ThreadView } from "@bron/protocol";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, type MemoryState, type MemoryThread } from "./memory-state.ts";
import { mostUrgentWait } from "./memory-waits.ts";

export function listThreads(
  state: MemoryState,
  ownerId: string,
  { idPrefix = "", limit, before, words = [], state: wanted, bronId, archived }: ListThreads,
): ThreadView[] {
  const runs = Map.groupBy(runsOf(state, ownerId), ({ view }) => view.threadId);
  const waiting = waitingThreads(state, ownerId);
  return [...state.threads.values()]
    .filter(
      (thread) =>
        thread.ownerId === ownerId &&
        thread.id.startsWith(idPrefix) &&
        (bronId === undefined || thread.bronId === bronId) &&
        (archived === undefined || archived === (thread.archivedAt !== null)),
    )
    .flatMap((thread) => {
      const own = runs.get(thread.id) ?? [];
      const found = words.length === 0 ? undefined : findWords(state, thread, words);
      if (found === null) return [];
      return viewOf(thread, own, {
        waitsForOwner: waiting.has(thread.id),
        waitsFor: mostUrgentWait(state, own),
        pendingCount: waiting.get(thread.id) ?? 0,
        snippet: found ? snippetOf({ title: thread.title, texts: textsOf(found) }, words) : null,
      });
    })
    .filter((view) => wanted === undefined || stateOf(view, runs.get(view.id) ?? []) === wanted)
    .toSorted((a, b) => compare(b, a))
    .filter((thread) => before === undefined || compare(thread, before) < 0)
    .slice(0, limit);
}

function compare(a: ThreadPlace, b: ThreadPlace): number {
  const [first, second] = [a, b].map(
    ({ pinnedAt, updatedAt, id }) => `${pinnedAt === null ? 0 : 1} ${updatedAt}${id}`,
  ) as [string, string];
  return first < second ? -1 : first > second ? 1 : 0;
}

function stateOf(view: ThreadView, runs: readonly MemoryRun[]): ThreadState {
  const { notDone } = view.latestRun;
  const outcome =
    view.latestRun.outcome ?? (view.status === "completed" ? outcomeByCount(notDone) : "could_not");
  const isActive = runs.some((run) => run.view.finishedAt === null);
  const isAsked = ["approval", "question", "sign_in"].includes(view.waitsFor?.kind ?? "");
  if (isAsked || view.pendingCount > 0 || (!isActive && outcome === "needs_answer"))
    return "needs_you";
  if (isActive) return "working";
  return outcome === "done" ? "done" : "not_done";
}

/** The newest run of the conversation that has all words. Null if there is none. */
function findWords(
  state: MemoryState,
  { id, title }: MemoryThread,
  words: readonly string[],
): MemoryRun | null {
  const all = [...state.runs.values()].filter((run) => rootOf(state, run).view.threadId === id);
  return (
    all.findLast((run) =>
      hasWords([title, run.view.title, ...textsOf(run), ...saidIn(run)].join(" "), words),
    ) ?? null
  );
}

function rootOf(state: MemoryState, run: MemoryRun): MemoryRun {
  const parent = state.runs.get(run.view.parentRunId ?? "");
  return parent ? rootOf(state, parent) : run;
}

/** What the model answered, what left, and what the owner wrote. */
function textsOf({ view, effects, prepared }: MemoryRun): string[] {
  const sent = [...effects.values()].filter((effect) => effect.state === "done");
  return [
    view.summary ?? "",
    sent.map(({ id }) => sentText(prepared.get(id) ?? null)).join(" "),
    view.prompt,
  ];
}

function saidIn({ events }: MemoryRun): string[] {
  return events.flatMap(({ type, payload }) => (type === "message" ? [payload.content] : []));
}

/** Empty for the thread of a child run. */
function viewOf(
  { id, title, bronId, archivedAt, pinnedAt, createdAt, updatedAt }: MemoryThread,
  runs: readonly MemoryRun[],
  found: Pick<ThreadView, "waitsForOwner" | "waitsFor" | "pendingCount" | "snippet">,
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
      ...found,
      archivedAt,
      pinnedAt,
      createdAt,
      updatedAt,
    },
  ];
}

/**
 * The threads of runs that wait for the owner, and of their parent runs, with the number of their
 * pending approvals and questions.
 */
function waitingThreads(state: MemoryState, ownerId: string): ReadonlyMap<string, number> {
  const threads = new Map<string, number>();
  for (const run of runsOf(state, ownerId)) {
    const { status, finishedAt } = run.view;
    const asked = [...run.approvals.values(), ...run.questions.values()].filter(
      (one) => one.state === "pending",
    ).length;
    if (finishedAt !== null || !(isParked(status) || asked > 0)) continue;
    for (let next: MemoryRun | undefined = run; next;) {
      const { threadId, parentRunId } = next.view;
      threads.set(threadId, (threads.get(threadId) ?? 0) + asked);
      next = state.runs.get(parentRunId ?? "");
    }
  }
  return threads;
}
