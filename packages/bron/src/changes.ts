import type { Clock, Runs } from "@bron/core";
import { isTerminal, type RunChange } from "@bron/protocol";

export interface ChangesListener {
  /** Runs that changed, each as it is now. The same one may come twice. */
  onChange(changes: readonly RunChange[]): void;
  /** Some changes may have been missed: whoever shows a list reads it anew. */
  onGap(): void;
}

/** Changes of all runs of an owner, wherever they are made. */
export interface RunChanges {
  /** From now on, until the returned function is called. */
  follow(ownerId: string, listener: ChangesListener): () => void;
}

export interface ChangesWatch extends RunChanges {
  /** A hint that the run has changed. */
  changed(runId: string): void;
  /** Hints may have been missed. */
  missed(): void;
  close(): void;
}

interface ChangesDeps {
  readonly runs: Pick<Runs, "changes">;
  readonly clock: Clock;
  readonly onProblem: (error: unknown) => void;
}

/** How long hints are collected before they are looked up together. */
const collectMs = 200;
/** For hints that got lost: so often everything is looked at that is not over. */
const batchesPerRescan = 25;
const retryMs = 1_000;

/** One question for all owners who are followed here, and none while nobody is. */
export function createChanges({ runs, clock, onProblem }: ChangesDeps): ChangesWatch {
  const followed = new Map<string, Set<ChangesListener>>();
  const waiting = new Set<string>();
  /** Runs that are not over, by where their logs ended when they were seen last. */
  const underWay = new Map<string, { readonly ownerId: string; readonly lastSeq: number }>();
  /** Owners whose runs under way have not been looked at: what is found first is no change. */
  const fresh = new Set<string>();
  const closing = new AbortController();
  let watching = false;

  const tell = (ownerId: string, what: (listener: ChangesListener) => void) => {
    for (const listener of followed.get(ownerId) ?? []) {
      try {
        what(listener);
      } catch (error) {
        onProblem(error);
      }
    }
  };

  const take = (
    found: readonly RunChange[],
    hinted: ReadonlySet<string>,
    seeding: ReadonlySet<string>,
  ) => {
    const news = found.filter(({ run }) => {
      const seen = underWay.get(run.id);
      return (
        hinted.has(run.id) || (seen ? seen.lastSeq !== run.lastSeq : !seeding.has(run.ownerId))
      );
    });
    for (const { run } of found) {
      if (isTerminal(run.status) || !followed.has(run.ownerId)) underWay.delete(run.id);
      else underWay.set(run.id, { ownerId: run.ownerId, lastSeq: run.lastSeq });
    }
    for (const [ownerId, changes] of Map.groupBy(news, ({ run }) => run.ownerId))
      tell(ownerId, ({ onChange }) => onChange(changes));
  };

  const look = async (atAll: boolean) => {
    const [hinted, seeding] = [new Set(waiting), new Set(fresh)];
    waiting.clear();
    fresh.clear();
    try {
      take(
        await runs.changes([...followed.keys()], {
          runIds: [...hinted, ...(atAll ? underWay.keys() : [])],
          underWay: atAll,
        }),
        hinted,
        seeding,
      );
    } catch {
      // The database is away: nothing of it is forgotten.
      for (const runId of hinted) waiting.add(runId);
      for (const ownerId of seeding) if (followed.has(ownerId)) fresh.add(ownerId);
      await clock.sleep(retryMs, closing.signal);
    }
  };

  const watch = async () => {
    for (let collection = 1; followed.size > 0 && !closing.signal.aborted; collection++) {
      await clock.sleep(collectMs, closing.signal);
      const atAll = fresh.size > 0 || collection % batchesPerRescan === 0;
      if (followed.size > 0 && !closing.signal.aborted && (atAll || waiting.size > 0))
        await look(atAll);
    }
    watching = false;
  };

  const leave = (ownerId: string, listener: ChangesListener) => {
    const listeners = followed.get(ownerId);
    if (!listeners?.delete(listener) || listeners.size > 0) return;
    followed.delete(ownerId);
    fresh.delete(ownerId);
    for (const [runId, run] of underWay) if (run.ownerId === ownerId) underWay.delete(runId);
    if (followed.size === 0) waiting.clear();
  };

  return {
    follow(ownerId, listener) {
      // Its own object: the same functions may be given twice.
      const own: ChangesListener = {
        onChange: (changes) => listener.onChange(changes),
        onGap: () => listener.onGap(),
      };
      const listeners = followed.get(ownerId);
      if (listeners) listeners.add(own);
      else {
        followed.set(ownerId, new Set([own]));
        fresh.add(ownerId);
      }
      if (!watching) {
        watching = true;
        void watch();
      }
      return () => leave(ownerId, own);
    },
    changed(runId) {
      if (followed.size > 0) waiting.add(runId);
    },
    missed() {
      for (const ownerId of followed.keys()) tell(ownerId, ({ onGap }) => onGap());
    },
    close() {
      closing.abort();
    },
  };
}
