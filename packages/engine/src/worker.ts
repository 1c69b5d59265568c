import type { AdvanceDeps, ClaimRequest, Clock, RunLog, ServedPlaces, Workers } from "@bron/core";
import { startLeaseKeeper } from "./lease-keeper.ts";
import type { EngineLimits } from "./limits.ts";
import { startPlaceReporter } from "./place-reporter.ts";
import { createSegments, type Segments, type WrapSegment } from "./segments.ts";
import { startSweeper, type SweepSource } from "./sweeper.ts";

interface WorkerOptions {
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
  const stopping = new AbortController();
  const wokenRuns = createWokenRuns(options.sweeps);

  /** Called only for segments and sweeps, which start after the keeper. */
  const terms = (): Omit<ClaimRequest, "runId"> => ({
    ...fixedTerms(options),
    takeOverUntil: keeper.takeOverUntil(),
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
    if (end === "ended" || (end === "parked" && !wasNotified)) wokenRuns.settle(runId);
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
      const only = wokenRuns.unsettled();
      if (only?.length === 0 || !hasRoom()) return undefined;
      const limit = limits.perWorker - segments.count();
      return { ...terms(), active: segments.active(), only, limit };
    },
    related: wokenRuns.all,
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
      wokenRuns.add(runId);
      segments.notify(runId);
    },
    logAdvanced: segments.logAdvanced,
    async close() {
      stopping.abort();
      segments.abortAll("The worker shuts down");
      await waitUntilIdle(segments, clock);
      await reporter.stop();
      await keeper.stop();
      await sweeper.ended();
    },
  };
}

/** The terms that are the same for every claim of this worker. */
function fixedTerms({ name, leaseMs, places, limits }: WorkerOptions) {
  return {
    worker: name,
    leaseMs,
    serves: places,
    maxPerOwner: limits.perOwner,
    maxInAll: limits.inAll,
  };
}

/** Gives up after a while, so that a tool that ignores its signal cannot keep the process open. */
async function waitUntilIdle(segments: Segments, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + closeTimeoutMs;
  while (segments.count() > 0 && clock.monotonic() < deadline) await clock.sleep(20);
}

/** The runs that this process woke. For a worker that sweeps all runs, the lists are undefined. */
function createWokenRuns(sweeps: WorkerOptions["sweeps"]) {
  /** Those that are not settled. An `own` worker retries what it could not claim immediately. */
  const unsettled = new Set<string>();
  /** An `own` worker notifies only the parents and children among them. */
  const all = new Set<string>();
  const isOwn = sweeps === "own";
  return {
    add(runId: string): void {
      unsettled.add(runId);
      if (isOwn) all.add(runId);
    },
    /** The run ended or is parked. */
    settle: (runId: string) => void unsettled.delete(runId),
    unsettled: () => (isOwn ? [...unsettled] : undefined),
    all: () => (isOwn ? [...all] : undefined),
  };
}
