import type { Clock, Runs } from "@bron/core";
import { isParked, isTerminal, type RunEvent } from "@bron/protocol";
import type { EventHub } from "./event-hub.ts";
import { createQueue } from "./queue.ts";
import { findRun } from "./services/find-run.ts";

/**
 * The complete logs of runs. Clients get the same events without what only the model may read. All
 * methods throw not_found.
 */
export interface RunLogs {
  /** The events after `afterSeq` that are in the log now, and the last seq. */
  read(
    ownerId: string,
    runId: string,
    options: { readonly afterSeq: number; readonly limit: number },
  ): Promise<{ events: RunEvent[]; lastSeq: number }>;
  /**
   * Yields the log after `afterSeq` and then live events, in order and without gaps, until the run
   * ends or the signal aborts.
   */
  events(
    ownerId: string,
    runId: string,
    options?: {
      readonly afterSeq?: number;
      readonly signal?: AbortSignal;
      /** Also ends when the run is parked. */
      readonly untilParked?: boolean;
    },
  ): AsyncGenerator<RunEvent, void>;
  /**
   * Reports the log after `afterSeq` and then live events, in order and without gaps. All
   * subscribers of this process get the same event objects. Returns a function that unsubscribes.
   */
  subscribe(
    ownerId: string,
    runId: string,
    subscription: {
      readonly afterSeq: number;
      readonly onEvents: (events: readonly RunEvent[]) => void;
    },
  ): Promise<() => void>;
}

/** How soon a worker may have given a parked run back. Nothing announces that. */
const parkedPollMs = 500;

interface RunLogsDeps {
  readonly runs: Pick<Runs, "get" | "events">;
  readonly hub: Pick<EventHub, "subscribe">;
  readonly clock: Clock;
}

export function createRunLogs({ runs, hub, clock }: RunLogsDeps): RunLogs {
  return {
    read: (ownerId, runId, options) => readEvents(runs, ownerId, runId, options),
    async subscribe(ownerId, runId, { afterSeq, onEvents }) {
      await findRun(runs, ownerId, runId);
      return hub.subscribe({ ownerId, runId, afterSeq, onEvents });
    },
    async *events(
      ownerId,
      runId,
      { afterSeq = 0, signal = new AbortController().signal, untilParked = false } = {},
    ) {
      const found = await findRun(runs, ownerId, runId);
      if (isTerminal(found.status) && found.lastSeq <= afterSeq) return;
      let { status } = found;
      const queue = createQueue<RunEvent>(signal);
      const unsubscribe = hub.subscribe({ ownerId, runId, afterSeq, onEvents: queue.push });
      try {
        for (let cursor = afterSeq; ;) {
          for (const event of queue.take()) {
            cursor = event.seq;
            yield event;
            if (event.type !== "status") continue;
            ({ status } = event.payload);
            if (isTerminal(status)) return;
          }
          if (signal.aborted) return;
          const run =
            untilParked && isParked(status) && !queue.has()
              ? await findRun(runs, ownerId, runId)
              : undefined;
          const isUpToDate = run !== undefined && isParked(run.status) && run.lastSeq <= cursor;
          if (isUpToDate && !run.runnable) return;
          // Its worker may find nothing to do, and give it back without another event.
          const givenBack = isUpToDate ? [clock.sleep(parkedPollMs, signal)] : [];
          await Promise.race([queue.filled(), ...givenBack]);
        }
      } finally {
        unsubscribe();
        queue.close();
      }
    },
  };
}

/** Throws not_found. */
export async function readEvents(
  runs: Pick<Runs, "get" | "events">,
  ownerId: string,
  runId: string,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<{ events: RunEvent[]; lastSeq: number }> {
  const [{ lastSeq }, events] = await Promise.all([
    findRun(runs, ownerId, runId),
    runs.events(ownerId, runId, afterSeq, limit),
  ]);
  // The row and the events are read concurrently, so either may be newer.
  return { events, lastSeq: Math.max(lastSeq, events.at(-1)?.seq ?? 0) };
}
