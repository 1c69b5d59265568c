import type { TextDelta } from "@bron/core";

/** The answer in progress, told to whoever listens in this process. */
export interface Deltas {
  tell(delta: TextDelta): void;
  listen(listener: (delta: TextDelta) => void): () => void;
}

/** A listener that throws is its own problem, not the run's. */
export function createDeltas(onProblem: (error: unknown) => void): Deltas {
  const listeners = new Set<(delta: TextDelta) => void>();
  return {
    tell(delta) {
      for (const listener of listeners) {
        try {
          listener(delta);
        } catch (error) {
          onProblem(error);
        }
      }
    },
    listen(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
