import { messageOf, type Clock, type RunLog, type TakeRequest } from "@bron/core";
import { withTimeout } from "./with-timeout.ts";

/** What a worker needs from the store besides the log: runnable runs and overdue approvals. */
export interface SweepSource extends Pick<RunLog, "takeRunnable"> {
  expireDue(): Promise<number>;
  /**
   * Records child run status in their parents: all of them, or only the given parents and children.
   */
  notifyParents(only: readonly string[] | undefined): Promise<number>;
  /** Starts the runs that renew the memory after tasks. */
  startUpkeep(): Promise<number>;
  /** Starts the runs of schedules that are due. Returns how many schedules it moved. */
  startDue(): Promise<number>;
  /** Polls the watches that are due. It may take long. */
  pollWatches(): Promise<unknown>;
}

export interface SweeperOptions {
  readonly source: SweepSource;
  readonly clock: Clock;
  readonly sweepMs: number;
  /** Aborted when the worker shuts down. Ends the sweeper. */
  readonly stopping: AbortSignal;
  /** False while the worker cannot trust its own leases. */
  readonly isHealthy: () => boolean;
  /** What to take now. Undefined if the worker has no room, or nothing to look for. */
  readonly request: () => TakeRequest | undefined;
  /** The runs whose parents and children are notified. Undefined means all. */
  readonly related: () => readonly string[] | undefined;
  readonly onTaken: (runId: string) => void;
  readonly onProblem: (message: string, error?: unknown) => void;
}

interface Sweeper {
  /** Sweeps again soon, because there may be room or work. */
  hurry(): void;
  /** Resolves soon after `stopping` was aborted. */
  ended(): Promise<void>;
}

/** Upkeep waits for a minute anyway, so it is looked for less often than runs. */
const upkeepEveryMs = 5_000;
/** Lets a burst of changes be swept together. */
const hurryMs = 20;
const endTimeoutMs = 2_000;

/** Takes up runnable runs, expires approvals and notifies parents, again and again. */
export function startSweeper(options: SweeperOptions): Sweeper {
  const { source, clock, stopping } = options;
  let soon = Promise.withResolvers<void>();

  let notifying: Promise<unknown> | undefined;
  /** Runs beside the sweep, which must not wait for a locked row. */
  const notifyParents = () => {
    const only = options.related();
    if (notifying || only?.length === 0 || !options.isHealthy()) return;
    notifying = source
      .notifyParents(only)
      .then((count) => (count > 0 ? soon.resolve() : undefined))
      .catch((error: unknown) =>
        options.onProblem(`Could not notify parent runs: ${messageOf(error)}`, error),
      )
      .finally(() => (notifying = undefined));
  };

  let upkeepAt = -Infinity;
  /** Only where all runs are swept. A worker for its own runs leaves upkeep to the others. */
  const startUpkeep = async () => {
    const now = clock.monotonic();
    if (options.related() !== undefined || now < upkeepAt + upkeepEveryMs) return;
    upkeepAt = now;
    await source
      .startUpkeep()
      .catch((error: unknown) =>
        options.onProblem(`Could not start upkeep runs: ${messageOf(error)}`, error),
      );
  };

  const scheduled = createScheduledStarts(options, () => soon.resolve());

  const sweepOnce = async () => {
    notifyParents();
    scheduled.start();
    if (!options.request()) return;
    await source
      .expireDue()
      .catch((error: unknown) =>
        options.onProblem(`Could not expire approvals: ${messageOf(error)}`, error),
      );
    await startUpkeep();
    // Runs may have started since.
    const request = options.request();
    if (!request) return;
    for (const { runId } of await source.takeRunnable(request)) options.onTaken(runId);
  };

  const sweeping = (async () => {
    while (!stopping.aborted) {
      soon = Promise.withResolvers<void>();
      try {
        await sweepOnce();
      } catch (error) {
        options.onProblem(`The sweep failed: ${messageOf(error)}`, error);
      }
      const pause = new AbortController();
      await Promise.race([
        clock.sleep(options.sweepMs, AbortSignal.any([stopping, pause.signal])),
        soon.promise.then(() => clock.sleep(hurryMs, stopping)),
      ]);
      pause.abort();
    }
  })();

  return {
    hurry: () => soon.resolve(),
    async ended() {
      if (notifying) await withTimeout(endTimeoutMs, notifying, clock);
      await scheduled.ended();
      await withTimeout(endTimeoutMs, sweeping, clock);
    },
  };
}

/**
 * Runs beside the sweep, because it waits for services of others, and a burst of schedules takes
 * long. Only where all runs are swept.
 */
function createScheduledStarts(options: SweeperOptions, hurry: () => void) {
  const { source, clock } = options;
  let starting: Promise<unknown> | undefined;
  let polling: Promise<unknown> | undefined;
  const report = (what: string) => (error: unknown) =>
    options.onProblem(`${what}: ${messageOf(error)}`, error);
  return {
    start() {
      if (options.related() !== undefined || !options.isHealthy()) return;
      starting ??= source
        .startDue()
        .then((count) => (count > 0 ? hurry() : undefined))
        .catch(report("Could not start scheduled tasks"))
        .finally(() => (starting = undefined));
      polling ??= source
        .pollWatches()
        .catch(report("Could not poll watches"))
        .finally(() => (polling = undefined));
    },
    async ended() {
      if (starting) await withTimeout(endTimeoutMs, starting, clock);
      if (polling) await withTimeout(endTimeoutMs, polling, clock);
    },
  };
}
