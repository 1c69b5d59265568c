import type { Clock, Runs } from "@bron/core";
import type { RunEvent } from "@bron/protocol";

export interface Subscription {
  /** The run's owner; whoever subscribes has been checked to be that. */
  readonly ownerId: string;
  readonly runId: string;
  readonly afterSeq: number;
  /** In order, without gaps, each event object shared by all subscribers of the run. */
  onEvents(events: readonly RunEvent[]): void;
}

/** Reads the log of a run once for all who follow it in this process. */
export interface EventHub {
  subscribe(subscription: Subscription): () => void;
  /** A hint that the run's log ends at `lastSeq` or later; 0 if that is not known. */
  changed(runId: string, lastSeq: number): void;
  /** Events that this process has just committed, in order: whoever is up to date gets them without a look at the log. */
  appended(runId: string, events: readonly RunEvent[]): void;
  /** Hints may have been missed: every followed run is looked at. */
  checkAll(): void;
  close(): void;
}

interface Follower {
  cursor: number;
  readonly onEvents: Subscription["onEvents"];
}

interface Followed {
  readonly ownerId: string;
  readonly followers: Set<Follower>;
  reading: boolean;
  again: boolean;
}

const pageSize = 500;
/** For hints that got lost. */
const safetyPollMs = 1_500;

export function createEventHub(runs: Pick<Runs, "events">, clock: Clock): EventHub {
  const followed = new Map<string, Followed>();
  const closing = new AbortController();

  const deliver = (run: Followed, from: number, events: readonly RunEvent[]) => {
    for (const follower of run.followers) {
      // One that is further back than this page begins is served by its own turn; nobody gets an event twice or too early.
      if (follower.cursor < from) continue;
      const fresh =
        follower.cursor === from ? events : events.filter(({ seq }) => seq > follower.cursor);
      const last = fresh.at(-1);
      if (!last) continue;
      follower.cursor = last.seq;
      follower.onEvents(fresh);
    }
  };

  /** Page by page from the follower that is furthest back, until all are at the end of the log. */
  const read = async (runId: string, run: Followed) => {
    if (run.reading) {
      run.again = true;
      return;
    }
    run.reading = true;
    try {
      do {
        run.again = false;
        for (;;) {
          const from = Math.min(...[...run.followers].map(({ cursor }) => cursor));
          if (!Number.isFinite(from)) return;
          const events = await runs.events(run.ownerId, runId, from, pageSize);
          if (events.length === 0) break;
          deliver(run, from, events);
        }
      } while (run.again);
    } catch {
      // The database is away: the safety poll looks again.
    } finally {
      run.reading = false;
    }
  };

  const look = (runId: string, run: Followed) => void read(runId, run);

  const lookIfBehind = (runId: string, run: Followed, lastSeq: number) => {
    const known = lastSeq > 0 && [...run.followers].every(({ cursor }) => cursor >= lastSeq);
    if (!known) look(runId, run);
  };

  void (async () => {
    while (!closing.signal.aborted) {
      await clock.sleep(safetyPollMs, closing.signal);
      if (!closing.signal.aborted) for (const [runId, run] of followed) look(runId, run);
    }
  })();

  return {
    subscribe({ ownerId, runId, afterSeq, onEvents }) {
      const run = followed.get(runId) ?? {
        ownerId,
        followers: new Set<Follower>(),
        reading: false,
        again: false,
      };
      followed.set(runId, run);
      const follower: Follower = { cursor: afterSeq, onEvents };
      run.followers.add(follower);
      look(runId, run);
      return () => {
        run.followers.delete(follower);
        if (run.followers.size === 0 && followed.get(runId) === run) followed.delete(runId);
      };
    },
    appended(runId, events) {
      const run = followed.get(runId);
      const [first] = events;
      if (!run || !first) return;
      deliver(run, first.seq - 1, events);
      lookIfBehind(runId, run, events.at(-1)?.seq ?? 0);
    },
    changed(runId, lastSeq) {
      const run = followed.get(runId);
      if (run) lookIfBehind(runId, run, lastSeq);
    },
    checkAll() {
      for (const [runId, run] of followed) look(runId, run);
    },
    close() {
      closing.abort();
    },
  };
}
