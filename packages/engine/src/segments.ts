import {
  advance,
  BronError,
  createSegmentHandle,
  messageOf,
  type AdvanceDeps,
  type AdvanceEnd,
  type ClaimRequest,
  type Lease,
  type RunLog,
  type SegmentHandle,
} from "@bron/core";

/**
 * Wraps each segment, from before its claim to its end. Must call `segment` and return its result.
 */
export type WrapSegment = (
  runId: string,
  segment: () => Promise<AdvanceEnd>,
) => Promise<AdvanceEnd>;

export interface SegmentsOptions {
  readonly deps: AdvanceDeps;
  readonly log: RunLog;
  /** The claim of a segment that is about to start. */
  readonly claimOf: (runId: string) => ClaimRequest;
  /** Aborted when the worker shuts down. */
  readonly stopping: AbortSignal;
  readonly wrapSegment: WrapSegment | undefined;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/** How a segment ended, and whether this process wrote to the log while it ran. */
interface SegmentEnd {
  readonly end: AdvanceEnd | "failed";
  /** A park that was in progress at that time may be out of date. */
  readonly wasNotified: boolean;
}

/** The segments that this worker is running, at most one of each run. */
export interface Segments {
  /** Runs one segment. Never throws. The run must not be active. */
  run(runId: string): Promise<SegmentEnd>;
  isActive(runId: string): boolean;
  active(): string[];
  count(): number;
  leases(): Lease[];
  /** This process wrote to the run's log. */
  notify(runId: string): void;
  /** Another writer reports that the run's log ends at `lastSeq` or later. 0 means unknown. */
  logAdvanced(runId: string, lastSeq: number): void;
  /** Aborts the segment of a run, if there is one. */
  abort(runId: string, why: string): void;
  abortAll(why: string): void;
}

interface Active {
  readonly controller: AbortController;
  readonly handle: SegmentHandle;
  wasNotified: boolean;
}

/**
 * Consecutive interruptions that do not count against a run. After more, the run itself may be what
 * blocks this process.
 */
const maxInterruptions = 5;

/** Delay before a run is claimable again after its segment failed. */
const failureDelayMs = 1_000;

export function createSegments(options: SegmentsOptions): Segments {
  const { stopping } = options;
  const active = new Map<string, Active>();
  /** How often in a row a run's segment was aborted because leases could not be renewed. */
  const interrupted = new Map<string, number>();
  const abort = (segment: Active, why: string) =>
    segment.controller.abort(new BronError(stopping.aborted ? "interrupted" : "lease_lost", why));

  const advanceOnce = async (runId: string, { controller, handle }: Active) => {
    const times = interrupted.get(runId) ?? 0;
    const wasInterrupted = times > 0 && times <= maxInterruptions;
    const claim = options.claimOf(runId);
    const work = () =>
      advance(options.deps, { claim, wasInterrupted, signal: controller.signal, handle });
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

  return {
    async run(runId) {
      const segment: Active = {
        controller: new AbortController(),
        handle: createSegmentHandle(),
        wasNotified: false,
      };
      active.set(runId, segment);
      let end: SegmentEnd["end"] = "failed";
      try {
        end = await advanceOnce(runId, segment);
        // An aborted segment keeps its lease. If the database was only briefly unreachable, this
        // worker continues; otherwise the lease expires.
        if (end === "released") interrupted.set(runId, (interrupted.get(runId) ?? 0) + 1);
        else if (typeof end === "string") interrupted.delete(runId);
        if (end === "released" && segment.handle.lease && stopping.aborted)
          await releaseLease(segment.handle.lease, 0, false);
      } catch (error) {
        options.onProblem(`A segment of run ${runId} failed: ${messageOf(error)}`, error);
        // An unreachable or full database is not the run's fault, so it does not count against it.
        const keepCount = !(BronError.is(error) && error.retryable);
        if (segment.handle.lease)
          await releaseLease(segment.handle.lease, failureDelayMs, keepCount);
      } finally {
        active.delete(runId);
      }
      return { end, wasNotified: segment.wasNotified };
    },
    isActive: (runId) => active.has(runId),
    active: () => [...active.keys()],
    count: () => active.size,
    leases: () => [...active.values()].flatMap(({ handle: { lease } }) => (lease ? [lease] : [])),
    notify(runId) {
      const segment = active.get(runId);
      if (!segment) return;
      segment.wasNotified = true;
      segment.handle.notify();
    },
    logAdvanced(runId, lastSeq) {
      const segment = active.get(runId);
      if (segment && (lastSeq === 0 || lastSeq > segment.handle.seen)) segment.handle.notify();
    },
    abort(runId, why) {
      const segment = active.get(runId);
      if (segment) abort(segment, why);
    },
    abortAll(why) {
      for (const segment of active.values()) abort(segment, why);
    },
  };
}
