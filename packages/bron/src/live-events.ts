import type { AnswerDelta } from "@bron/core";

/** Who listens in this process to which run. Signals are hints: "the log is at n or more". */
export interface LiveEvents {
  appended(runId: string, lastSeq: number): void;
  delta(delta: AnswerDelta): void;
  /** Resolves at the next append of the run in this process. */
  nextAppend(runId: string, signal: AbortSignal): Promise<void>;
  onDelta(listener: (delta: AnswerDelta) => void): () => void;
}

export function createLiveEvents(): LiveEvents {
  const waiting = new Map<string, Set<() => void>>();
  const listeners = new Set<(delta: AnswerDelta) => void>();
  return {
    appended(runId) {
      const waiters = waiting.get(runId);
      waiting.delete(runId);
      for (const tell of waiters ?? []) tell();
    },
    delta(delta) {
      for (const listener of listeners) listener(delta);
    },
    nextAppend(runId, signal) {
      return new Promise((resolve) => {
        if (signal.aborted) return resolve();
        const waiters = waiting.get(runId) ?? new Set();
        waiting.set(runId, waiters);
        const tell = () => {
          signal.removeEventListener("abort", tell);
          waiters.delete(tell);
          if (waiters.size === 0 && waiting.get(runId) === waiters) waiting.delete(runId);
          resolve();
        };
        waiters.add(tell);
        signal.addEventListener("abort", tell, { once: true });
      });
    },
    onDelta(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
