import type { Clock, Runs } from "@bron/core";
import type { RunEvent } from "@bron/protocol";

interface Subscription {
  /** The run's owner. The caller has verified it. */
  readonly ownerId: string;
  readonly runId: string;
  readonly afterSeq: number;
  /**
   * Events arrive in order and without gaps. All subscribers of a run share the same event objects.
   */
  onEvents(events: readonly RunEvent[]): void;
}

/** Reads the log of a run once for all its subscribers in this process. */
export interface EventHub {
  subscribe(subscription: Subscription): () => void;
  /** A hint that the run's log ends at `lastSeq` or later. 0 means unknown. */
  changed(runId: string, lastSeq: number): void;
  /**
   * Events that this process has just committed, in order. Subscribers that are up to date get them
   * without a read of the log.
   */
  appended(runId: string, events: readonly RunEvent[]): void;
  /** Hints may have been missed, so the logs of all subscribed runs are read. */
  checkAll(): void;
  close(): void;
}

interface Subscriber {
  cursor: number;
  readonly onEvents: Subscription["onEvents"];
}

interface SubscribedRun {
  readonly ownerId: string;
  readonly subscribers: Set<Subscriber>;
  reading: boolean;
  readAgain: boolean;
}

const pageSize = 500;
/** Reads the logs at this interval in case a hint was lost. */
const safetyPollMs = 1_500;

export function createEventHub(runs: Pick<Runs, "events">, clock: Clock): EventHub {
  const subscribedRuns = new Map<string, SubscribedRun>();
  const closing = new AbortController();

  const startReading = (runId: string, run: SubscribedRun) => void readToEnd(runs, runId, run);

  const readIfBehind = (runId: string, run: SubscribedRun, lastSeq: number) => {
    const known = lastSeq > 0 && [...run.subscribers].every(({ cursor }) => cursor >= lastSeq);
    if (!known) startReading(runId, run);
  };

  void (async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(safetyPollMs, closing.signal);
      if (!closing.signal.aborted)
        for (const [runId, run] of subscribedRuns) startReading(runId, run);
    }
  })();

  return {
    subscribe({ ownerId, runId, afterSeq, onEvents }) {
      const run = subscribedRuns.get(runId) ?? {
        ownerId,
        subscribers: new Set<Subscriber>(),
        reading: false,
        readAgain: false,
      };
      subscribedRuns.set(runId, run);
      const subscriber: Subscriber = { cursor: afterSeq, onEvents };
      run.subscribers.add(subscriber);
      startReading(runId, run);
      return () => {
        run.subscribers.delete(subscriber);
        if (run.subscribers.size === 0 && subscribedRuns.get(runId) === run)
          subscribedRuns.delete(runId);
      };
    },
    appended(runId, events) {
      const run = subscribedRuns.get(runId);
      const [first] = events;
      if (!run || !first) return;
      deliver(run, first.seq - 1, events);
      readIfBehind(runId, run, events.at(-1)?.seq ?? 0);
    },
    changed(runId, lastSeq) {
      const run = subscribedRuns.get(runId);
      if (run) readIfBehind(runId, run, lastSeq);
    },
    checkAll() {
      for (const [runId, run] of subscribedRuns) startReading(runId, run);
    },
    close() {
      closing.abort();
    },
  };
}

/**
 * Reads page by page from the last subscriber's position, until all are at the end of the log.
 */
async function readToEnd(
  runs: Pick<Runs, "events">,
  runId: string,
  run: SubscribedRun,
): Promise<void> {
  if (run.reading) {
    run.readAgain = true;
    return;
  }
  run.reading = true;
  try {
    do {
      run.readAgain = false;
      for (;;) {
        const from = Math.min(...[...run.subscribers].map(({ cursor }) => cursor));
        if (!Number.isFinite(from)) return;
        const events = await runs.events(run.ownerId, runId, from, pageSize);
        if (events.length === 0) break;
        deliver(run, from, events);
      }
    } while (run.readAgain);
  } catch {
    // The database is not available. The safety poll tries again.
  } finally {
    run.reading = false;
  }
}

/** Gives the events after `from` to the subscribers that have all events up to `from`. */
function deliver(run: SubscribedRun, from: number, events: readonly RunEvent[]): void {
  for (const subscriber of run.subscribers) {
    // A subscriber that is behind the start of this page gets its events in a later read. No
    // subscriber gets an event twice or out of order.
    if (subscriber.cursor < from) continue;
    const fresh =
      subscriber.cursor === from ? events : events.filter(({ seq }) => seq > subscriber.cursor);
    const last = fresh.at(-1);
    if (!last) continue;
    subscriber.cursor = last.seq;
    subscriber.onEvents(fresh);
  }
}
