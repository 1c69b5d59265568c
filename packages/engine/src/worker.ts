import {
  advance,
  BronError,
  createSegmentHandle,
  messageOf,
  type AdvanceEnd,
  type AdvanceDeps,
  type Clock,
  type Lease,
  type RunLog,
  type SegmentHandle,
  type TakeRequest,
  type Wake,
} from "@bron/core";
import { withTimeout } from "./with-timeout.ts";
import { startLeaseKeeper } from "./lease-keeper.ts";
import type { EngineLimits } from "./limits.ts";

/** What a worker needs from the store besides the log: runnable runs and overdue approvals. */
export interface SweepSource {
  /**
   * Marks runnable runs without a live lease as taken, within the limits and fairly among owners,
   * and counts their wake.
   */
  takeRunnable(request: TakeRequest): Promise<Wake[]>;
  expireDue(): Promise<number>;
  /**
   * Records child run status in their parents: all of them, or only the given parents and children.
   */
  notifyParents(only: readonly string[] | undefined): Promise<number>;
}

/**
 * Wraps each segment, from before its claim to its end. Must call `segment` and return its result.
 */
export type WrapSegment = (
  runId: string,
  segment: () => Promise<AdvanceEnd>,
) => Promise<AdvanceEnd>;

export interface WorkerOptions {
  readonly name: string;
  readonly deps: AdvanceDeps;
  readonly log: RunLog;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly sweep: SweepSource;
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
  isActive(runId: string): boolean;
  /** Releases every run, so that other workers can continue immediately. */
  close(): Promise<void>;
}

interface Active {
  readonly controller: AbortController;
  readonly handle: SegmentHandle;
  /** This process wrote to the log. A park that was in progress at that time may be out of date. */
  wanted: boolean;
}

/**
 * Consecutive interruptions that do not count against a run. After more, the run itself may be what
 * blocks this process.
 */
const maxInterruptions = 5;

/** Delay before a run is claimable again after its segment failed. */
const failureDelayMs = 1_000;

export function startWorker(options: WorkerOptions): Worker {
  const { name, clock, limits, leaseMs } = options;
  const active = new Map<string, Active>();
  const stopping = new AbortController();
  let sweepSoon = Promise.withResolvers<void>();

  const abortSegment = (segment: Active, why: string) =>
    segment.controller.abort(
      new BronError(stopping.signal.aborted ? "interrupted" : "lease_lost", why),
    );
  /**
   * Runs that this process woke. An `own` worker retries those that it could not claim immediately.
   */
  const wanted = new Set<string>();
  /**
   * All runs that this process ever woke. An `own` worker notifies only the parents and children
   * among them.
   */
  const started = new Set<string>();
  /** How often in a row a run's segment was aborted because leases could not be renewed. */
  const interrupted = new Map<string, number>();
  const notify = (runId: string) => {
    wanted.add(runId);
    if (options.sweeps === "own") started.add(runId);
    const segment = active.get(runId);
    if (!segment) return;
    segment.wanted = true;
    segment.handle.notify();
  };

  const logAdvanced = (runId: string, lastSeq: number) => {
    const segment = active.get(runId);
    if (segment && (lastSeq === 0 || lastSeq > segment.handle.seen)) segment.handle.notify();
  };

  const keeper = startLeaseKeeper({
    log: options.log,
    clock,
    worker: name,
    leaseMs,
    held: () => [...active.values()].flatMap(({ handle: { lease } }) => (lease ? [lease] : [])),
    onLost: (lease) => {
      const segment = active.get(lease.runId);
      if (segment) abortSegment(segment, "Another worker has the run");
    },
    onLogAdvanced: (runId, lastSeq) => logAdvanced(runId, lastSeq),
    onRisk: () => {
      for (const segment of active.values())
        abortSegment(segment, "The lease could not be renewed");
    },
  });

  const hasRoom = () =>
    !stopping.signal.aborted && keeper.healthy() && active.size < limits.perWorker;

  const advanceOnce = async (runId: string, segment: Active) => {
    const claim = {
      runId,
      worker: name,
      leaseMs,
      takeOverUntil: keeper.takeOverUntil(),
      maxPerOwner: limits.perOwner,
      maxInAll: limits.inAll,
    };
    const times = interrupted.get(runId) ?? 0;
    const wasInterrupted = times > 0 && times <= maxInterruptions;
    const work = () =>
      advance(options.deps, {
        claim,
        wasInterrupted,
        signal: segment.controller.signal,
        handle: segment.handle,
      });
    return await (options.wrapSegment?.(runId, work) ?? work());
  };

  const releaseLease = async (lease: Lease, delayMs: number, keepCount: boolean) => {
    try {
      await options.log.release(lease, { delayMs, keepCount });
    } catch (error) {
      // The lease expires anyway.
      options.onProblem(
        `Could not release the lease of run ${lease.runId}: ${messageOf(error)}`,
        error,
      );
    }
  };

  const execute = async (runId: string): Promise<void> => {
    // If this process already runs a segment of the run, that one continues.
    if (active.has(runId) || !hasRoom()) return;
    const segment: Active = {
      controller: new AbortController(),
      handle: createSegmentHandle(),
      wanted: false,
    };
    active.set(runId, segment);
    let end: AdvanceEnd | "failed" = "failed";
    try {
      end = await advanceOnce(runId, segment);
      // An aborted segment keeps its lease. If the database was only briefly unreachable, this
      // worker continues; otherwise the lease expires.
      if (end === "released") interrupted.set(runId, (interrupted.get(runId) ?? 0) + 1);
      else if (typeof end === "string") interrupted.delete(runId);
      if (end === "released" && segment.handle.lease && stopping.signal.aborted)
        await releaseLease(segment.handle.lease, 0, false);
    } catch (error) {
      options.onProblem(`A segment of run ${runId} failed: ${messageOf(error)}`, error);
      // An unreachable or full database is not the run's fault, so it does not count against it.
      if (segment.handle.lease)
        await releaseLease(
          segment.handle.lease,
          failureDelayMs,
          !(BronError.is(error) && error.retryable),
        );
    } finally {
      active.delete(runId);
      sweepSoon.resolve();
    }
    if (end === "ended" || (end === "parked" && !segment.wanted)) wanted.delete(runId);
    // This process wrote to the log between the park and here. The writer saw an active segment and
    // started none.
    if (end === "parked" && segment.wanted) await execute(runId);
  };

  let notifying: Promise<unknown> | undefined;
  /** Runs beside the sweep, which must not wait for a locked row. */
  const notifyParents = () => {
    const only = options.sweeps === "own" ? [...started] : undefined;
    if (notifying || only?.length === 0 || !keeper.healthy()) return;
    notifying = options.sweep
      .notifyParents(only)
      .then((count) => (count > 0 ? sweepSoon.resolve() : undefined))
      .catch((error: unknown) =>
        options.onProblem(`Could not notify parent runs: ${messageOf(error)}`, error),
      )
      .finally(() => (notifying = undefined));
  };

  const sweepOnce = async () => {
    const { sweep } = options;
    notifyParents();
    const only = options.sweeps === "own" ? [...wanted] : undefined;
    if (only?.length === 0) return;
    const freeSlots = limits.perWorker - active.size;
    if (!keeper.healthy() || freeSlots <= 0) return;
    await sweep
      .expireDue()
      .catch((error: unknown) =>
        options.onProblem(`Could not expire approvals: ${messageOf(error)}`, error),
      );
    const wakes = await sweep.takeRunnable({
      worker: name,
      active: [...active.keys()],
      only,
      limit: freeSlots,
      leaseMs,
      takeOverUntil: keeper.takeOverUntil(),
      maxPerOwner: limits.perOwner,
      maxInAll: limits.inAll,
    });
    for (const { runId } of wakes) void execute(runId);
  };

  const sweeping = (async () => {
    while (!stopping.signal.aborted) {
      sweepSoon = Promise.withResolvers<void>();
      try {
        await sweepOnce();
      } catch (error) {
        options.onProblem(`The sweep failed: ${messageOf(error)}`, error);
      }
      const pause = new AbortController();
      await Promise.race([
        clock.sleep(options.sweepMs, AbortSignal.any([stopping.signal, pause.signal])),
        sweepSoon.promise.then(() => clock.sleep(20, stopping.signal)),
      ]);
      pause.abort();
    }
  })();

  return {
    hasRoom,
    execute,
    notify,
    logAdvanced,
    isActive: (runId) => active.has(runId),
    async close() {
      stopping.abort();
      for (const segment of active.values()) abortSegment(segment, "The worker shuts down");
      const deadline = clock.monotonic() + 20_000;
      while (active.size > 0 && clock.monotonic() < deadline) await clock.sleep(20);
      await keeper.stop();
      if (notifying) await withTimeout(2_000, notifying, clock);
      await withTimeout(2_000, sweeping, clock);
    },
  };
}
