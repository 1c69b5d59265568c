import {
  BronError,
  type Clock,
  type PartialTextStore,
  type Runs,
  type TextDelta,
} from "@bron/core";
import type { PartialText } from "@bron/protocol";

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

/** Publishes the text that runs of this process stream, and reads the text of other processes. */
export interface PartialTextHub extends PartialTexts {
  delta(delta: TextDelta): void;
  /** The run's log has advanced, so the partial text is obsolete. */
  clear(runId: string): void;
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

  return {
    delta({ runId, step, attempt, kind, delta }) {
      if (kind !== "text") return;
      const before = localTexts.get(runId);
      const same = before?.step === step && before.attempt === attempt;
      const partialText = { step, attempt, text: (same ? before.text : "") + delta };
      localTexts.set(runId, partialText);
      dirty.add(runId);
      emit(runId, partialText);
      flushSoon();
    },
    clear(runId) {
      if (!localTexts.delete(runId)) return;
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
