import { BronError, type Clock, type Runs, type Threads } from "@bron/core";
import { isTerminal } from "@bron/protocol";

/** A run that waits for a slow tool ends when the tool has heard of it. */
const maxStopMs = 15_000;
const pollMs = 100;

interface DeleteThreadDeps {
  readonly threads: Pick<Threads, "delete">;
  readonly runs: Pick<Runs, "list" | "requestCancel">;
  readonly clock: Pick<Clock, "monotonic" | "sleep">;
}

/**
 * Stops the runs of a thread that are under way, and deletes it once they have ended. A child run
 * that the owner continued keeps its thread until its parent run has ended. Throws not_found, or
 * conflict if the runs do not end in time.
 */
export async function deleteThread(
  { threads, runs, clock }: DeleteThreadDeps,
  ownerId: string,
  threadId: string,
): Promise<void> {
  const until = clock.monotonic() + maxStopMs;
  let isFirst = true;
  for (;;)
    try {
      return await threads.delete(ownerId, threadId);
    } catch (error) {
      if (!BronError.is(error, "conflict") || clock.monotonic() >= until) throw error;
      const own = await runs.list(ownerId, { threadId: threadId.toLowerCase() });
      const underWay = own.filter((run) => run.parentRunId === null && !isTerminal(run.status));
      if (isFirst && underWay.length === 0 && own.some((run) => run.parentRunId !== null))
        throw error;
      isFirst = false;
      for (const { id, cancelRequested } of underWay)
        if (!cancelRequested)
          await runs.requestCancel(ownerId, id, "The conversation was deleted.");
      await clock.sleep(pollMs);
    }
}
