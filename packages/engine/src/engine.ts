import type { AdvanceDeps, Clock, RunLog, Wake, Waker, ServedPlaces, Workers } from "@bron/core";
import type { DurableQueue, OpenQueue } from "./durable-queue.ts";
import type { EngineLimits } from "./limits.ts";
import type { WrapSegment } from "./segments.ts";
import type { SweepSource } from "./sweeper.ts";
import { startWorker, type Worker } from "./worker.ts";

interface EngineOptions {
  /**
   * Opens the queue through which processes leave runs to each other. Without it, the engine knows
   * only its own process, and a sweep finds the runs that could not start at once.
   */
  readonly openQueue?: OpenQueue | undefined;
  readonly workerName: string;
  /**
   * `sweep` also takes up runs that other processes left. `own` advances only runs that this
   * process woke. `none` queues for other processes.
   */
  readonly work: "sweep" | "own" | "none";
  /** The places that this worker serves. */
  readonly places?: ServedPlaces;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly leaseMs?: number;
  readonly sweepMs?: number;
  readonly pollMs?: number;
  readonly onProblem: (message: string, error?: unknown) => void;
}

/**
 * What the engine drives. It is passed to `start` because the store needs the engine's waker first.
 */
interface EngineTarget {
  readonly deps: (leaseMs: number) => AdvanceDeps;
  readonly log: RunLog;
  readonly sweep: SweepSource;
  readonly workers: Pick<Workers, "report" | "remove">;
  /** Wraps every segment, for telemetry. */
  readonly wrapSegment?: WrapSegment;
}

export interface Engine {
  readonly waker: Waker;
  readonly workerName: string;
  start(target: EngineTarget): Promise<void>;
  /**
   * Call this when another process wrote to a run's log, which now ends at `lastSeq` or later. The
   * segment is notified if the run is active here.
   */
  logAdvanced(runId: string, lastSeq: number): void;
  close(): Promise<void>;
}

const defaultLeaseMs = 5_000;
const defaultSweepMs = 1_000;
/**
 * How long a run that another process queued waits at most. Each look costs the worker and the
 * database five statements, also while nothing happens.
 */
const defaultPollMs = 250;

export function createEngine(options: EngineOptions): Engine {
  const { clock, limits, workerName } = options;
  const leaseMs = options.leaseMs ?? defaultLeaseMs;
  let worker: Worker | undefined;
  let queue: DurableQueue | undefined;
  return {
    workerName,
    waker: {
      takesHere: () => worker?.hasRoom() === true,
      async enlist(wake, transaction) {
        await queue?.enqueueIn(transaction, segmentName(wake), wake);
      },
      committed(wake, here) {
        worker?.notify(wake.runId);
        // No queue entry is needed. If this process dies, the run's row says that it is runnable,
        // and a sweep finds it.
        if (here) void worker?.execute(wake.runId);
      },
    },

    async start(target) {
      // Open the queue first, so that no run is taken up that could not be started.
      const execute =
        options.work === "none" ? undefined : async (runId: string) => await worker?.execute(runId);
      queue = await options.openQueue?.({
        worker: workerName,
        execute,
        // A worker that advances only its own runs does not poll the queue.
        listen: options.work === "sweep",
        maxRuns: limits.perWorker,
        pollMs: options.pollMs ?? defaultPollMs,
        onProblem: options.onProblem,
      });
      if (options.work === "none") return;
      worker = startWorker({
        name: workerName,
        deps: target.deps(leaseMs),
        log: target.log,
        clock,
        limits,
        leaseMs,
        sweepMs: options.sweepMs ?? defaultSweepMs,
        sweep: target.sweep,
        places: options.places ?? [],
        workers: target.workers,
        sweeps: options.work === "sweep" ? "all" : "own",
        ...(target.wrapSegment ? { wrapSegment: target.wrapSegment } : {}),
        onProblem: options.onProblem,
      });
    },

    logAdvanced: (runId, lastSeq) => worker?.logAdvanced(runId, lastSeq),

    async close() {
      await worker?.close();
      await queue?.close();
    },
  };
}

function segmentName(wake: Wake): string {
  return `${wake.runId}:${wake.wake}`;
}
