import type { Clock, Runs } from "@bron/core";
import { isTerminal, type RunChange } from "@bron/protocol";

export interface ChangesListener {
  /** Runs that changed, in their current state. The same run may come twice. */
  onChange(changes: readonly RunChange[]): void;
  /** Some changes may have been missed. The subscriber should refetch its list. */
  onGap(): void;
}

/** Changes of all runs of an owner, in any process. */
export interface RunChanges {
  /** Reports changes from now on, until the returned function is called. */
  subscribe(ownerId: string, listener: ChangesListener): () => void;
}

interface ChangeHub extends RunChanges {
  /** A hint that the run has changed. */
  changed(runId: string): void;
  /** Some hints may have been missed. */
  reportGap(): void;
  close(): void;
}

interface ChangesDeps {
  readonly runs: Pick<Runs, "changes">;
  readonly clock: Clock;
  readonly onProblem: (error: unknown) => void;
}

/** How long hints are collected before they are looked up together. */
const collectMs = 200;
/** Rescan all active runs every N batches, in case a hint was lost. */
const batchesPerRescan = 25;
const retryMs = 1_000;

/** Runs one query per batch for all subscribed owners, and none without subscribers. */
export function createChangeHub({ runs, clock, onProblem }: ChangesDeps): ChangeHub {
  const subscribers = createSubscribers(onProblem);
  const pendingHints = new Set<string>();
  /** Active runs, with the last seq that was seen. */
  const active = new Map<string, ActiveRun>();
  /**
   * Owners whose active runs have not been read yet. The first read reports no changes for them.
   */
  const unseeded = new Set<string>();
  const closing = new AbortController();
  let running = false;

  const report = (found: readonly RunChange[], batch: Batch) => {
    const changed = selectChanged(found, active, batch);
    for (const { run } of found) {
      if (isTerminal(run.status) || !subscribers.has(run.ownerId)) active.delete(run.id);
      else active.set(run.id, { ownerId: run.ownerId, lastSeq: run.lastSeq });
    }
    for (const [ownerId, changes] of Map.groupBy(changed, ({ run }) => run.ownerId))
      subscribers.emit(ownerId, ({ onChange }) => onChange(changes));
  };

  const collect = async (rescan: boolean) => {
    const batch: Batch = { hinted: new Set(pendingHints), seeding: new Set(unseeded) };
    pendingHints.clear();
    unseeded.clear();
    try {
      report(
        await runs.changes(subscribers.ownerIds(), {
          runIds: [...batch.hinted, ...(rescan ? active.keys() : [])],
          active: rescan,
        }),
        batch,
      );
    } catch {
      // The database is not available. Keep the hints for the next attempt.
      for (const runId of batch.hinted) pendingHints.add(runId);
      for (const ownerId of batch.seeding) if (subscribers.has(ownerId)) unseeded.add(ownerId);
      await clock.sleep(retryMs, closing.signal);
    }
  };

  const loop = async () => {
    for (let collection = 1; !subscribers.isEmpty() && !closing.signal.aborted; collection++) {
      await clock.sleep(collectMs, closing.signal);
      const rescan = unseeded.size > 0 || collection % batchesPerRescan === 0;
      if (!subscribers.isEmpty() && !closing.signal.aborted && (rescan || pendingHints.size > 0))
        await collect(rescan);
    }
    running = false;
  };

  const unsubscribe = (ownerId: string, listener: ChangesListener) => {
    if (!subscribers.remove(ownerId, listener)) return;
    unseeded.delete(ownerId);
    for (const [runId, run] of active) if (run.ownerId === ownerId) active.delete(runId);
    if (subscribers.isEmpty()) pendingHints.clear();
  };

  return {
    subscribe(ownerId, listener) {
      // A new object per subscription, because the same listener may subscribe twice.
      const entry: ChangesListener = {
        onChange: (changes) => listener.onChange(changes),
        onGap: () => listener.onGap(),
      };
      if (subscribers.add(ownerId, entry)) unseeded.add(ownerId);
      if (!running) {
        running = true;
        void loop();
      }
      return () => unsubscribe(ownerId, entry);
    },
    changed(runId) {
      if (!subscribers.isEmpty()) pendingHints.add(runId);
    },
    reportGap() {
      for (const ownerId of subscribers.ownerIds())
        subscribers.emit(ownerId, ({ onGap }) => onGap());
    },
    close() {
      closing.abort();
    },
  };
}

interface ActiveRun {
  readonly ownerId: string;
  readonly lastSeq: number;
}

interface Batch {
  /** Runs that changed according to a hint. */
  readonly hinted: ReadonlySet<string>;
  /** Owners whose active runs are read for the first time. */
  readonly seeding: ReadonlySet<string>;
}

function selectChanged(
  found: readonly RunChange[],
  active: ReadonlyMap<string, ActiveRun>,
  { hinted, seeding }: Batch,
): RunChange[] {
  return found.filter(({ run }) => {
    const seen = active.get(run.id);
    return hinted.has(run.id) || (seen ? seen.lastSeq !== run.lastSeq : !seeding.has(run.ownerId));
  });
}

/** The listeners of each owner. */
function createSubscribers(onProblem: (error: unknown) => void) {
  const subscribed = new Map<string, Set<ChangesListener>>();
  return {
    isEmpty: () => subscribed.size === 0,
    has: (ownerId: string) => subscribed.has(ownerId),
    ownerIds: () => [...subscribed.keys()],
    /** Returns whether it is the owner's first listener. */
    add(ownerId: string, listener: ChangesListener): boolean {
      const listeners = subscribed.get(ownerId);
      if (listeners) listeners.add(listener);
      else subscribed.set(ownerId, new Set([listener]));
      return !listeners;
    },
    /** Returns whether it was the owner's last listener. */
    remove(ownerId: string, listener: ChangesListener): boolean {
      const listeners = subscribed.get(ownerId);
      return (
        listeners?.delete(listener) === true && listeners.size === 0 && subscribed.delete(ownerId)
      );
    },
    /** A listener that throws does not keep the others from theirs. */
    emit(ownerId: string, call: (listener: ChangesListener) => void): void {
      for (const listener of subscribed.get(ownerId) ?? []) {
        try {
          call(listener);
        } catch (error) {
          onProblem(error);
        }
      }
    },
  };
}
