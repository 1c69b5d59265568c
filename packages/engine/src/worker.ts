import type { AdvanceDeps, ClaimRequest, Clock, RunLog, ServedPlaces, Workers } from "@bron/core";
import { startLeaseKeeper } from "./lease-keeper.ts";
import type { EngineLimits } from "./limits.ts";
import { startPlaceReporter } from "./place-reporter.ts";
import { createSegments, type WrapSegment } from "./segments.ts";
import { startSweeper, type SweepSource } from "./sweeper.ts";

export interface WorkerOptions {
  readonly name: string;
  readonly deps: AdvanceDeps;
  readonly log: RunLog;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly sweep: SweepSource;
  /** The places that this worker serves. It advances only runs of these, and runs without a place. */
  readonly places: ServedPlaces;
  readonly workers: Pick<Workers, "report" | "remove">;
  /** Whether to take up runs that any process left, or only runs that this process woke. */
  readonly sweeps: "all" | "own";
  readonly wrapSegment?: WrapSegment;
  readonly onProblem: (message: string, error?: unknown) => void;
}

export interface Worker {
  hasRoom(): boolean;
  /** Runs one segment. Never throws. */
  execute(runId: string): Promise<void>;
  /**
   * Call this after this process wrote to a run's log. It notifies the active segment and remembers
   * that the run should be advanced here.
   */
  notify(runId: string): void;
  /** Another writer reports that the run's log ends at `lastSeq` or later. 0 means unknown. */
  logAdvanced(runId: string, lastSeq: number): void;
  /** Releases every run, so that other workers can continue immediately. */
  close(): Promise<void>;
}

const closeTimeoutMs = 20_000;

export function startWorker(options: WorkerOptions): Worker {
  const { name, clock, limits, leaseMs, log, onProblem } = options;
  const isOwn = options.sweeps === "own";
  const stopping = new AbortController();
  /**
   * Runs that this process woke. An `own` worker retries those that it could not claim immediately.
   */
  const wanted = new Set<string>();
  /**
   * All runs that this process ever woke. An `own` worker notifies only the parents and children
   * among them.
   */
  const started = new Set<string>();

  /** Called only for segments and sweeps, which start after the keeper. */
  const terms = (): Omit<ClaimRequest, "runId"> => ({
    worker: name,
    leaseMs,
    takeOverUntil: keeper.takeOverUntil(),
    serves: options.places,
    maxPerOwner: limits.perOwner,
    maxInAll: limits.inAll,
  });
  const segments = createSegments({
    deps: options.deps,
    log,
    claimOf: (runId) => ({ runId, ...terms() }),
    stopping: stopping.signal,
    wrapSegment: options.wrapSegment,
    onProblem,
  });
  const keeper = startLeaseKeeper({
    log,
    clock,
    worker: name,
    leaseMs,
    held: segments.leases,
    onLost: ({ runId }) => segments.abort(runId, "Another worker has the run"),
    onLogAdvanced: segments.logAdvanced,
    onRisk: () => segments.abortAll("The lease could not be renewed"),
  });
  const hasRoom = () =>
    !stopping.signal.aborted && keeper.healthy() && segments.count() < limits.perWorker;

  const execute = async (runId: string): Promise<void> => {
    // If this process already runs a segment of the run, that one continues.
    if (segments.isActive(runId) || !hasRoom()) return;
    const { end, wasNotified } = await segments.run(runId);
    sweeper.hurry();
    if (end === "ended" || (end === "parked" && !wasNotified)) wanted.delete(runId);
    // This process wrote to the log between the park and here. The writer saw an active segment and
    // started none.
    if (end === "parked" && wasNotified) await execute(runId);
  };

  const sweeper = startSweeper({
    source: options.sweep,
    clock,
    sweepMs: options.sweepMs,
    stopping: stopping.signal,
    isHealthy: keeper.healthy,
    request() {
      const limit = limits.perWorker - segments.count();
      if ((isOwn && wanted.size === 0) || !hasRoom()) return undefined;
      return {
        ...terms(),
        active: segments.active(),
        only: isOwn ? [...wanted] : undefined,
        limit,
      };
    },
    related: () => (isOwn ? [...started] : undefined),
    onTaken: (runId) => void execute(runId),
    onProblem,
  });

  const reporter = startPlaceReporter({
    workers: options.workers,
    clock,
    worker: name,
    places: options.places,
    onProblem,
  });

  return {
    hasRoom,
    execute,
    notify(runId) {
      wanted.add(runId);
      if (isOwn) started.add(runId);
      segments.notify(runId);
    },
    logAdvanced: segments.logAdvanced,
    async close() {
      stopping.abort();
      segments.abortAll("The worker shuts down");
      const deadline = clock.monotonic() + closeTimeoutMs;
      while (segments.count() > 0 && clock.monotonic() < deadline) await clock.sleep(20);
      await reporter.stop();
      await keeper.stop();
      await sweeper.ended();
    },
  };
}
