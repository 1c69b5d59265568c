import type { Clock, PartialTextStore } from "@bron/core";
import type { PartialText } from "@bron/protocol";

interface PartialTextWriterDeps {
  readonly partialTexts: PartialTextStore;
  readonly clock: Clock;
  /** Called after each write, so that other processes read the new text. */
  readonly onWritten: (runId: string) => void;
}

/** Writes the latest texts of this process to the store, together and at most every 100 ms. */
export interface PartialTextWriter {
  put(runId: string, partialText: PartialText): void;
  /** The text is obsolete. */
  remove(runId: string): void;
  /** Removes all texts that this process has stored. Does not reject. */
  close(): Promise<void>;
}

const flushMs = 100;

export function createPartialTextWriter(deps: PartialTextWriterDeps): PartialTextWriter {
  const { partialTexts, clock, onWritten } = deps;
  const dirty = new Map<string, PartialText>();
  const stored = new Set<string>();
  const cleared = new Set<string>();
  const closing = new AbortController();
  let flushing: Promise<void> | undefined;

  const flush = async () => {
    await clock.sleep(flushMs, closing.signal);
    const removed = [...cleared];
    const changed = new Map(dirty);
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
    put(runId, partialText) {
      cleared.delete(runId);
      dirty.set(runId, partialText);
      flushSoon();
    },
    remove(runId) {
      dirty.delete(runId);
      if (!stored.delete(runId)) return;
      cleared.add(runId);
      flushSoon();
    },
    async close() {
      closing.abort();
      await flushing;
      const left = [...stored, ...cleared];
      if (left.length > 0) await partialTexts.remove(left).catch(() => undefined);
    },
  };
}
