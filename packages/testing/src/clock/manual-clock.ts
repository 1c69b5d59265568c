import type { Clock } from "@bron/core";

export interface ManualClock extends Clock {
  /** Advances the time. Sleepers wake in the order of their deadlines. */
  pass(ms: number): Promise<void>;
}

/** A clock that advances only when a test says so. */
export function manualClock(start = Date.parse("2026-01-05T09:00:00Z")): ManualClock {
  let now = 0;
  const sleepers = new Set<{ at: number; wake: () => void }>();
  return {
    now: () => start + now,
    monotonic: () => now,
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const wake = () => {
          sleepers.delete(sleeper);
          signal?.removeEventListener("abort", wake);
          resolve();
        };
        const sleeper = { at: now + ms, wake };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", wake, { once: true });
      }),
    async pass(ms) {
      const end = now + ms;
      for (;;) {
        const next = [...sleepers].filter(({ at }) => at <= end).toSorted((a, b) => a.at - b.at)[0];
        now = next ? Math.max(now, next.at) : end;
        next?.wake();
        await new Promise((resolve) => setImmediate(resolve));
        if (!next) return;
      }
    },
  };
}
