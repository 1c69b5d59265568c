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

export interface ChangeHub extends RunChanges {
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
  const subscribed = new Map<string, Set<ChangesListener>>();
  const pendingHints = new Set<string>();
  /** Active runs, with the last seq that was seen. */
  const active = new Map<string, { readonly ownerId: string; readonly lastSeq: number }>();
  /**
   * Owners whose active runs have not been read yet. The first read reports no changes for them.
   */
  const unseeded = new Set<string>();
  const closing = new AbortController();
  let running = false;

  const emit = (ownerId: string, what: (listener: ChangesListener) => void) => {
    for (const listener of subscribed.get(ownerId) ?? []) {
      try {
        what(listener);
      } catch (error) {
        onProblem(error);
      }
    }
  };

  const report = (
    found: readonly RunChange[],
    hinted: ReadonlySet<string>,
    seeding: ReadonlySet<string>,
  ) => {
    const news = found.filter(({ run }) => {
      const seen = active.get(run.id);
      return (
        hinted.has(run.id) || (seen ? seen.lastSeq !== run.lastSeq : !seeding.has(run.ownerId))
      );
    });
    for (const { run } of found) {
      if (isTerminal(run.status) || !subscribed.has(run.ownerId)) active.delete(run.id);
      else active.set(run.id, { ownerId: run.ownerId, lastSeq: run.lastSeq });
    }
    for (const [ownerId, changes] of Map.groupBy(news, ({ run }) => run.ownerId))
      emit(ownerId, ({ onChange }) => onChange(changes));
  };

  const collect = async (rescan: boolean) => {
    const [hinted, seeding] = [new Set(pendingHints), new Set(unseeded)];
    pendingHints.clear();
    unseeded.clear();
    try {
      report(
        await runs.changes([...subscribed.keys()], {
          runIds: [...hinted, ...(rescan ? active.keys() : [])],
          active: rescan,
        }),
        hinted,
        seeding,
      );
    } catch {
      // The database is not available. Keep the hints for the next attempt.
      for (const runId of hinted) pendingHints.add(runId);
      for (const ownerId of seeding) if (subscribed.has(ownerId)) unseeded.add(ownerId);
      await clock.sleep(retryMs, closing.signal);
    }
  };

  const loop = async () => {
    for (let collection = 1; subscribed.size > 0 && !closing.signal.aborted; collection++) {
      await clock.sleep(collectMs, closing.signal);
      const rescan = unseeded.size > 0 || collection % batchesPerRescan === 0;
      if (subscribed.size > 0 && !closing.signal.aborted && (rescan || pendingHints.size > 0))
        await collect(rescan);
    }
    running = false;
  };

  const unsubscribe = (ownerId: string, listener: ChangesListener) => {
    const listeners = subscribed.get(ownerId);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    subscribed.delete(ownerId);
    unseeded.delete(ownerId);
    for (const [runId, run] of active) if (run.ownerId === ownerId) active.delete(runId);
    if (subscribed.size === 0) pendingHints.clear();
  };

  return {
    subscribe(ownerId, listener) {
      // A new object per subscription, because the same listener may subscribe twice.
      const entry: ChangesListener = {
        onChange: (changes) => listener.onChange(changes),
        onGap: () => listener.onGap(),
      };
      const listeners = subscribed.get(ownerId);
      if (listeners) listeners.add(entry);
      else {
        subscribed.set(ownerId, new Set([entry]));
        unseeded.add(ownerId);
      }
      if (!running) {
        running = true;
        void loop();
      }
      return () => unsubscribe(ownerId, entry);
    },
    changed(runId) {
      if (subscribed.size > 0) pendingHints.add(runId);
    },
    reportGap() {
      for (const ownerId of subscribed.keys()) emit(ownerId, ({ onGap }) => onGap());
    },
    close() {
      closing.abort();
    },
  };
}
