import {
  messageOf,
  workerTimeoutMs,
  type Clock,
  type ServedPlaces,
  type Workers,
} from "@bron/core";
import { withTimeout } from "./with-timeout.ts";

interface PlaceReporterOptions {
  readonly workers: Pick<Workers, "report" | "remove">;
  readonly clock: Clock;
  readonly worker: string;
  readonly places: ServedPlaces;
  readonly onProblem: (message: string, error?: unknown) => void;
}

interface PlaceReporter {
  /** Reports that the worker has stopped. Never throws. */
  stop(): Promise<void>;
}

const endTimeoutMs = 2_000;

/** Reports again and again that this worker runs, and which places it serves. */
export function startPlaceReporter(options: PlaceReporterOptions): PlaceReporter {
  const { workers, clock, worker, places, onProblem } = options;
  const stopping = new AbortController();
  const reporting = (async () => {
    while (!stopping.signal.aborted) {
      await workers
        .report(worker, places)
        .catch((error: unknown) =>
          onProblem(`Could not report this worker: ${messageOf(error)}`, error),
        );
      await clock.sleep(workerTimeoutMs / 3, stopping.signal);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      const ended = reporting.then(() => workers.remove(worker)).catch(() => undefined);
      await withTimeout(endTimeoutMs, ended, clock);
    },
  };
}
