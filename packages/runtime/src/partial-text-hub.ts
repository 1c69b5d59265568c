import { BronError, type Clock, type Delta, type PartialTextStore, type Runs } from "@bron/core";
import type { NewEvent, PartialText } from "@bron/protocol";
import { afterAppend, withDelta } from "./live-text.ts";

export interface PartialTexts {
  /**
   * Calls the listener at once with the current text and then at every change, until the returned
   * function is called. Throws not_found.
   */
  subscribe(
    ownerId: string,
    runId: string,
    listener: (partialText: PartialText) => void,
  ): Promise<() => void>;
}

/** Publishes what runs of this process stream, and reads what other processes publish. */
export interface PartialTextHub extends PartialTexts {
  delta(delta: Delta): void;
  /** The run's log has these events now, so what it streamed before them is obsolete. */
  appended(runId: string, events: readonly NewEvent[]): void;
  /** Another process changed the partial text of the run. */
  changed(runId: string): void;
  close(): Promise<void>;
}

interface PartialTextHubDeps {
  readonly partialTexts: PartialTextStore;
  readonly runs: Pick<Runs, "get">;
  readonly clock: Clock;
  /** Called after each write, so that other processes read the new text. */
  readonly onWritten: (runId: string) => void;
}

const flushMs = 100;

export function createPartialTextHub({
  partialTexts,
  runs,
  clock,
  onWritten,
}: PartialTextHubDeps): PartialTextHub {
  const localTexts = new Map<string, PartialText>();
  const dirty = new Set<string>();
  const stored = new Set<string>();
  const cleared = new Set<string>();
  const subscribers = new Map<
    string,
    Set<{ ownerId: string; listener: (partialText: PartialText) => void }>
  >();
  const closing = new AbortController();
  let flushing: Promise<void> | undefined;

  const emit = (runId: string, partialText: PartialText) => {
    for (const { listener } of subscribers.get(runId) ?? []) listener(partialText);
  };

  const flush = async () => {
    await clock.sleep(flushMs, closing.signal);
    const removed = [...cleared];
    const changed = new Map(
      [...dirty].flatMap((runId) =>
        localTexts.has(runId) ? [[runId, localTexts.get(runId)!] as const] : [],
      ),
    );
    cleared.clear();
    dirty.clear();
    if (removed.length > 0) await partialTexts.remove(removed);
    if (changed.size > 0) await partialTexts.put(changed);
    for (const runId of changed.keys()) {
      stored.add(runId);
      onWritten(runId);
    }
  };

  const flushSoon = () => {
    flushing ??= flush()
      // A failed write is harmless, because the next one contains the full text.
      .catch(() => undefined)
      .finally(() => {
        flushing = undefined;
        if (!closing.signal.aborted && (dirty.size > 0 || cleared.size > 0)) flushSoon();
      });
  };

  const set = (runId: string, state: PartialText) => {
    // The time, so that a state of the worker that takes the run over counts as newer.
    const revision = Math.max((localTexts.get(runId)?.revision ?? 0) + 1, clock.now());
    const partialText = { ...state, revision };
    localTexts.set(runId, partialText);
    cleared.delete(runId);
    dirty.add(runId);
    emit(runId, partialText);
    flushSoon();
  };

  return {
    delta(delta) {
      const { runId } = delta;
      set(runId, withDelta(localTexts.get(runId), delta));
    },
    appended(runId, events) {
      const before = localTexts.get(runId);
      if (!before) return;
      const left = afterAppend(before, events);
      if (left) return left.progress === before.progress ? undefined : set(runId, left);
      localTexts.delete(runId);
      dirty.delete(runId);
      if (!stored.delete(runId)) return;
      cleared.add(runId);
      flushSoon();
    },
    changed(runId) {
      for (const { ownerId, listener } of subscribers.get(runId) ?? []) {
        void partialTexts.get(ownerId, runId).then(
          (partialText) => partialText && listener(partialText),
          () => undefined,
        );
      }
    },
    async subscribe(ownerId, runId, listener) {
      if (!(await runs.get(ownerId, runId)))
        throw new BronError("not_found", `Run ${runId} not found.`);
      const entry = { ownerId, listener };
      const all = subscribers.get(runId) ?? new Set();
      subscribers.set(runId, all.add(entry));
      const partialText = localTexts.get(runId) ?? (await partialTexts.get(ownerId, runId));
      if (partialText) listener(partialText);
      return () => {
        all.delete(entry);
        if (all.size === 0 && subscribers.get(runId) === all) subscribers.delete(runId);
      };
    },
    async close() {
      closing.abort();
      await flushing;
      const left = [...stored, ...cleared];
      if (left.length > 0) await partialTexts.remove(left).catch(() => undefined);
    },
  };
}
