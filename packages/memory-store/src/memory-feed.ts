import type { ChangeFeed, ChangeListener } from "@bron/core";

export interface MemoryFeed extends ChangeFeed {
  /** The store calls this after each write to a log. */
  written(runId: string, lastSeq: number): void;
}

/**
 * Reports every write of the store to all runtimes on it, including the writer. A timer collects the
 * changes, so that no listener runs inside a write.
 */
export function createMemoryFeed(): MemoryFeed {
  const listeners = new Set<ChangeListener>();
  const changes = new Map<string, number>();
  const texts = new Set<string>();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const emit = () => {
    timer = undefined;
    const changed = [...changes];
    const partialTexts = [...texts];
    changes.clear();
    texts.clear();
    for (const { onChange, onPartialText } of listeners) {
      for (const [runId, lastSeq] of changed) onChange({ runId, lastSeq });
      for (const runId of partialTexts) onPartialText(runId);
    }
  };
  const emitSoon = () => {
    if (listeners.size > 0) timer ??= setTimeout(emit, 0);
  };
  return {
    // The store has reported the write itself.
    changed: () => undefined,
    partialTextChanged(runId) {
      texts.add(runId);
      emitSoon();
    },
    subscribe(listener) {
      const entry = { ...listener };
      listeners.add(entry);
      return () => listeners.delete(entry);
    },
    written(runId, lastSeq) {
      changes.set(runId, lastSeq);
      emitSoon();
    },
  };
}
