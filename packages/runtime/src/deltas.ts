import type { Delta } from "@bron/core";

/** What the runs in this process stream. */
export interface Deltas {
  emit(delta: Delta): void;
  subscribe(listener: (delta: Delta) => void): () => void;
}

/** Errors of a listener are reported and do not affect the run. */
export function createDeltas(onProblem: (error: unknown) => void): Deltas {
  const listeners = new Set<(delta: Delta) => void>();
  return {
    emit(delta) {
      for (const listener of listeners) {
        try {
          listener(delta);
        } catch (error) {
          onProblem(error);
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
