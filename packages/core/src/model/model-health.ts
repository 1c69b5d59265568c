import type { Clock } from "../ports/clock.ts";

/**
 * Which models seem to be unavailable. A hint of this process, kept in memory only: it spares new
 * steps the retries on a model that just failed. The log says which model each call used.
 */
export interface ModelHealth {
  isDown(name: string): boolean;
  worked(name: string): void;
  /** Call it for outages only, not for requests that the model rejected. */
  failed(name: string): void;
}

/** For a set of models without a last resort. */
export const noHealth: ModelHealth = {
  isDown: () => false,
  worked: () => undefined,
  failed: () => undefined,
};

/** As many failures in a row as a step has attempts. */
const failuresUntilDown = 4;
/** After this time, one call tries the model again. */
const downMs = 60_000;

export function createModelHealth(clock: Pick<Clock, "monotonic">): ModelHealth {
  const failing = new Map<string, { readonly failures: number; readonly since: number }>();
  return {
    isDown(name) {
      const { failures = 0, since = 0 } = failing.get(name) ?? {};
      return failures >= failuresUntilDown && clock.monotonic() - since < downMs;
    },
    worked: (name) => void failing.delete(name),
    failed(name) {
      const failures = (failing.get(name)?.failures ?? 0) + 1;
      failing.set(name, { failures, since: clock.monotonic() });
    },
  };
}
