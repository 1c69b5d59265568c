import type { RunView } from "@bron/protocol";

const maxShown = 5;

/** The newest task of each of the latest conversations. `runs` has the newest first. */
export function recentConversations(runs: readonly RunView[]): readonly RunView[] {
  const newest = new Map<string, RunView>();
  for (const run of runs)
    if (run.parentRunId === null && !newest.has(run.threadId)) newest.set(run.threadId, run);
  return [...newest.values()].slice(0, maxShown);
}
