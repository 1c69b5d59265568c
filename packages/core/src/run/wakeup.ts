import type { Clock } from "../ports/clock.ts";
import { waitFinished } from "./wait-finished.ts";

/** Lets a loop wait until something has changed. */
export interface Wakeup {
  wake(): void;
  /** Forgets earlier calls of `wake`. */
  rearm(): void;
  /** Resolves at a call of `wake` since `rearm`, after `maxMs`, or when the signal aborts. */
  wait(maxMs: number): Promise<void>;
}

export function createWakeup(clock: Clock, signal: AbortSignal): Wakeup {
  let woken = Promise.withResolvers<void>();
  return {
    wake: () => woken.resolve(),
    rearm() {
      woken = Promise.withResolvers<void>();
    },
    async wait(maxMs) {
      const waited = new AbortController();
      const timer = Number.isFinite(maxMs)
        ? clock.sleep(Math.max(1, maxMs), waited.signal)
        : new Promise<void>(() => undefined);
      await Promise.race([woken.promise, timer, aborted(signal, waited.signal)]);
      waited.abort(waitFinished);
    },
  };
}

function aborted(signal: AbortSignal, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true, signal: until });
  });
}
