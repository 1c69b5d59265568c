import type { Clock, Uploads } from "@bron/core";

interface UploadUpkeepDeps {
  readonly uploads: Pick<Uploads, "removeUnattached">;
  readonly clock: Pick<Clock, "sleep">;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** A file may wait so long for the task that it is for. */
const keptMs = 24 * 3_600_000;
const everyMs = 10 * 60_000;

/** Removes files that were announced a day ago and are attached to no run, now and every ten minutes. Safe beside other processes that do the same. */
export function startUploadUpkeep({ uploads, clock, onProblem }: UploadUpkeepDeps): {
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const removeAll = async () => {
    while (!closing.signal.aborted && (await uploads.removeUnattached(keptMs)) > 0);
  };
  const running = (async () => {
    while (!closing.signal.aborted) {
      await removeAll().catch((error: unknown) =>
        onProblem("Files that are attached to nothing could not be removed", error),
      );
      await clock.sleep(everyMs, closing.signal);
    }
  })();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
