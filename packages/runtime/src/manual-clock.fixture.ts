import type { Clock } from "@bron/core";

/** A clock that advances only when the test advances it. */
export function manualClock(): Clock & { advance(ms: number): void } {
  let now = 0;
  const sleepers = new Set<{ readonly until: number; readonly wake: () => void }>();
  return {
    now: () => now,
    monotonic: () => now,
    random: () => 0.5,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted === true) return resolve();
        const sleeper = { until: now + ms, wake: () => (sleepers.delete(sleeper), resolve()) };
        sleepers.add(sleeper);
        signal?.addEventListener("abort", sleeper.wake, { once: true });
      }),
    advance(ms) {
      now += ms;
      for (const { until, wake } of sleepers) if (until <= now) wake();
    },
  };
}
