import type { RunView } from "@bron/protocol";
import type { InfiniteData, QueryClient } from "@tanstack/react-query";
import { queries } from "./queries.ts";

/** Shows a task that was started just now, without waiting for a request. */
export function addToThread(client: QueryClient, run: RunView): void {
  client.setQueryData(queries.run(run.id).queryKey, run);
  client.setQueryData(queries.thread(run.threadId).queryKey, (thread) =>
    thread && !hasRun(thread, run.id)
      ? {
          ...thread,
          pages: thread.pages.map((page, index) =>
            index === 0 ? { ...page, runs: [...page.runs, run] } : page,
          ),
        }
      : thread,
  );
  void client.invalidateQueries({ queryKey: ["runs"] });
}

/** Writes the newer state of a task into its conversation. */
export function updateInThread(client: QueryClient, run: RunView): void {
  client.setQueryData(queries.thread(run.threadId).queryKey, (thread) =>
    thread && hasRun(thread, run.id)
      ? {
          ...thread,
          pages: thread.pages.map((page) => ({
            ...page,
            runs: page.runs.map((known) =>
              known.id === run.id && known.lastSeq <= run.lastSeq ? run : known,
            ),
          })),
        }
      : thread,
  );
}

function hasRun(
  { pages }: InfiniteData<{ readonly runs: readonly RunView[] }, unknown>,
  runId: string,
): boolean {
  return pages.some(({ runs }) => runs.some(({ id }) => id === runId));
}
