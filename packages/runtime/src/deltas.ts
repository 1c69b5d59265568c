import type { TextDelta } from "@bron/core";

/** Streamed text of the runs in this process. */
export interface Deltas {
  emit(delta: TextDelta): void;
  subscribe(listener: (delta: TextDelta) => void): () => void;
}

/** Errors of a listener are reported and do not affect the run. */
export function createDeltas(onProblem: (error: unknown) => void): Deltas {
  const listeners = new Set<(delta: TextDelta) => void>();
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
