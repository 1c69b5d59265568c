import type { Rates } from "@bron/core";

/** Limits for a runtime without a database. They count in this process only. */
export function createMemoryRates(now: () => number): Rates {
  const taken = new Map<string, readonly number[]>();
  return {
    async take(turns, count = 1) {
      const at = now();
      const waits = turns.map(({ key, limit, windowMs }) => {
        const recent = (taken.get(key) ?? []).filter((time) => time > at - windowMs);
        taken.set(key, recent);
        const excess = recent.length + count - limit;
        if (limit === 0 || excess <= 0) return 0;
        const oldest = recent[excess - 1];
        return oldest === undefined ? Number.POSITIVE_INFINITY : oldest + windowMs - at;
      });
      const retryAfterMs = Math.max(0, ...waits);
      if (retryAfterMs > 0) return { ok: false, retryAfterMs };
      for (const { key } of turns)
        taken.set(key, [...(taken.get(key) ?? []), ...Array.from({ length: count }, () => at)]);
      return { ok: true };
    },
    async refund(keys, count) {
      for (const key of keys) taken.set(key, (taken.get(key) ?? []).slice(0, -count || undefined));
    },
  };
}
