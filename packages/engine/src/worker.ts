import {
  advance,
  BronError,
  messageOf,
  type AdvanceEnd,
  type AdvanceDeps,
  type Clock,
  type Lease,
  type RunLog,
  type TakeRequest,
  type Wake,
} from "@bron/core";
import { withTimeout } from "./with-timeout.ts";
import { startLeaseKeeper } from "./lease-keeper.ts";
import type { EngineLimits } from "./limits.ts";

/** What a worker asks of the store beside the log: which runs wait, and which approvals are due. */
export interface SweepSource {
  /** Marks runnable runs without a live lease as taken up, within the limits and fairly among owners, and counts their wake. */
  takeRunnable(request: TakeRequest): Promise<Wake[]>;
  expireDue(): Promise<number>;
  /** Tells runs how their parts stand: all, or these wholes and parts only. */
  notifyParents(only: readonly string[] | undefined): Promise<number>;
}

/** Wrapped around each segment, from before its claim to its end. Must do nothing else than to call it. */
export type Around = (runId: string, segment: () => Promise<AdvanceEnd>) => Promise<AdvanceEnd>;

export interface WorkerOptions {
  readonly name: string;
  readonly deps: AdvanceDeps;
  readonly log: RunLog;
  readonly clock: Clock;
  readonly limits: EngineLimits;
  readonly leaseMs: number;
  readonly sweepMs: number;
  readonly sweep: SweepSource;
  /** Whether to take up what anyone left, or only the runs that this process woke. */
  readonly sweeps: "all" | "own";
  readonly around?: Around;
  readonly onProblem: (message: string, error?: unknown) => void;
}

export interface Worker {
  hasRoom(): boolean;
  /** The body of a segment. Never throws. */
  execute(runId: string): Promise<void>;
  /** Someone in this process wrote to the run's log: tells the segment, or remembers that the run is wanted here. */
  nudge(runId: string): void;
  /** The log of the run ends at `lastSeq` or later, as someone else says; 0 if that is not known. */
  moved(runId: string, lastSeq: number): void;
  isActive(runId: string): boolean;
  /** Lets go of every run, so that others can go on at once. */
  close(): Promise<void>;
}

interface Active {
  readonly controller: AbortController;
  nudge: () => void;
  /** Somebody in this process wrote to the log: a park that was under way then may have been overtaken. */
  wanted: boolean;
  lease: Lease | undefined;
  seen: number;
}

/** In a row, that do not count against a run. After so many, what it does may be what holds up this process. */
const maxInterruptions = 5;

/** How long a run rests after a segment that failed. */
const restMs = 1_000;

export function startWorker(options: WorkerOptions): Worker {
  const { name, clock, limits, leaseMs } = options;
  const active = new Map<string, Active>();
  const stopping = new AbortController();
  let sweepSoon = Promise.withResolvers<void>();

  const letGo = (segment: Active, why: string) =>
    segment.controller.abort(
      new BronError(stopping.signal.aborted ? "interrupted" : "lease_lost", why),
    );
  /** Runs that this process woke; an `own` worker takes up again what it could not claim at once. */
  const wanted = new Set<string>();
  /** All of them, ever: an `own` worker tells the wholes and parts among them how they stand, and no others. */
  const begun = new Set<string>();
  /** Runs whose segments were let go when leases could not be renewed, and how often in a row. */
  const interrupted = new Map<string, number>();
  const nudge = (runId: string) => {
    wanted.add(runId);
    if (options.sweeps === "own") begun.add(runId);
    const segment = active.get(runId);
    if (!segment) return;
    segment.wanted = true;
    segment.nudge();
  };

  const moved = (runId: string, lastSeq: number) => {
    const segment = active.get(runId);
    if (segment && (lastSeq === 0 || lastSeq > segment.seen)) segment.nudge();
  };

  const keeper = startLeaseKeeper({
    log: options.log,
    clock,
    worker: name,
    leaseMs,
    held: () => [...active.values()].flatMap(({ lease }) => (lease ? [lease] : [])),
    onLost: (lease) => {
      const segment = active.get(lease.runId);
      if (segment) letGo(segment, "Another worker has the run");
    },
    onMoved: (runId, lastSeq) => moved(runId, lastSeq),
    onRisk: () => {
      for (const segment of active.values()) letGo(segment, "The lease could not be renewed");
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
    const onNudge = (listener: () => void) => {
      segment.nudge = listener;
    };
    const onClaim = (lease: Lease) => {
      segment.lease = lease;
    };
    const onSeen = (lastSeq: number) => {
      segment.seen = lastSeq;
    };
    const times = interrupted.get(runId) ?? 0;
    const wasInterrupted = times > 0 && times <= maxInterruptions;
    const work = () =>
      advance(options.deps, {
        claim,
        wasInterrupted,
        signal: segment.controller.signal,
        onNudge,
        onClaim,
        onSeen,
      });
    return await (options.around?.(runId, work) ?? work());
  };

  const giveBack = async (lease: Lease, delayMs: number, keepCount: boolean) => {
    try {
      await options.log.release(lease, { delayMs, keepCount });
    } catch (error) {
      // The lease runs out by itself.
      options.onProblem(
        `The lease of run ${lease.runId} could not be given back: ${messageOf(error)}`,
        error,
      );
    }
  };

  const execute = async (runId: string): Promise<void> => {
    // The same segment twice in one process: the first one has it.
    if (active.has(runId) || !hasRoom()) return;
    const segment: Active = {
      controller: new AbortController(),
      nudge: () => undefined,
      wanted: false,
      lease: undefined,
      seen: 0,
    };
    active.set(runId, segment);
    let end: AdvanceEnd | "failed" = "failed";
    try {
      end = await advanceOnce(runId, segment);
      // At risk it keeps the lease: if the database was merely away, this worker goes on; if it stays away, the lease runs out.
      if (end === "let_go") interrupted.set(runId, (interrupted.get(runId) ?? 0) + 1);
      else if (typeof end === "string") interrupted.delete(runId);
      if (end === "let_go" && segment.lease && stopping.signal.aborted)
        await giveBack(segment.lease, 0, false);
    } catch (error) {
      options.onProblem(`A segment of run ${runId} failed: ${messageOf(error)}`, error);
      // A database that is away or full says nothing against the run.
      if (segment.lease)
        await giveBack(segment.lease, restMs, !(BronError.is(error) && error.retryable));
    } finally {
      active.delete(runId);
      sweepSoon.resolve();
    }
    if (end === "ended" || (end === "parked" && !segment.wanted)) wanted.delete(runId);
    // Decided between the park and here: whoever wrote it saw this segment and started none.
    if (end === "parked" && segment.wanted) await execute(runId);
  };

  let telling: Promise<unknown> | undefined;
  /** Beside the sweep, which must not wait for a row that somebody holds. */
  const notifyParents = () => {
    const only = options.sweeps === "own" ? [...begun] : undefined;
    if (telling || only?.length === 0 || !keeper.healthy()) return;
    telling = options.sweep
      .notifyParents(only)
      .then((count) => (count > 0 ? sweepSoon.resolve() : undefined))
      .catch((error: unknown) =>
        options.onProblem(
          `Runs could not be told how their parts stand: ${messageOf(error)}`,
          error,
        ),
      )
      .finally(() => (telling = undefined));
  };

  const sweepOnce = async () => {
    const { sweep } = options;
    notifyParents();
    const only = options.sweeps === "own" ? [...wanted] : undefined;
    if (only?.length === 0) return;
    const room = limits.perWorker - active.size;
    if (!keeper.healthy() || room <= 0) return;
    await sweep
      .expireDue()
      .catch((error: unknown) =>
        options.onProblem(`Approvals could not be expired: ${messageOf(error)}`, error),
      );
    const wakes = await sweep.takeRunnable({
      worker: name,
      active: [...active.keys()],
      only,
      limit: room,
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
    nudge,
    moved,
    isActive: (runId) => active.has(runId),
    async close() {
      stopping.abort();
      for (const segment of active.values()) letGo(segment, "The worker shuts down");
      const deadline = clock.monotonic() + 20_000;
      while (active.size > 0 && clock.monotonic() < deadline) await clock.sleep(20);
      await keeper.stop();
      if (telling) await withTimeout(2_000, telling, clock);
      await withTimeout(2_000, sweeping, clock);
    },
  };
}
