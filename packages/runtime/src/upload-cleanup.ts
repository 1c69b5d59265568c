import type { Clock, Uploads } from "@bron/core";

interface UploadCleanupDeps {
  readonly uploads: Pick<Uploads, "removeUnattached">;
  readonly clock: Pick<Clock, "sleep">;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** How long an upload may stay without a run. */
const maxUnattachedMs = 24 * 3_600_000;
const intervalMs = 10 * 60_000;

/**
 * Removes uploads that are a day old and not attached to a run, now and every ten minutes. Safe to
 * run in several processes.
 */
export function startUploadCleanup({ uploads, clock, onProblem }: UploadCleanupDeps): {
  close(): Promise<void>;
} {
  const closing = new AbortController();
  const removeAll = async () => {
    while (!closing.signal.aborted && (await uploads.removeUnattached(maxUnattachedMs)) > 0);
  };
  const running = (async () => {
    while (!closing.signal.aborted) {
      await removeAll().catch((error: unknown) =>
        onProblem("Unattached uploads could not be removed", error),
      );
      await clock.sleep(intervalMs, closing.signal);
    }
  })();
  return {
    async close() {
      closing.abort();
      await running;
    },
  };
}
