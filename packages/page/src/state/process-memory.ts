import type { PageMemory } from "./keeper.ts";

interface Entry {
  readonly value: string;
  readonly until: number;
}

const maxEntries = 100_000;

/**
 * Remembers in this process only, and forgets the oldest when it is full. Another process of the
 * same site accepts a state that was used here.
 */
export function processMemory(now: () => number): PageMemory {
  const entries = new Map<string, Entry>();
  const counters = new Map<string, { sum: number; until: number }>();
  const find = (key: string) => {
    const entry = entries.get(key);
    if (entry && entry.until > now()) return entry;
    entries.delete(key);
    return undefined;
  };
  const put = (key: string, value: string, ttlMs: number) => {
    entries.delete(key);
    entries.set(key, { value, until: now() + ttlMs });
    forgetOldest(entries);
  };
  return {
    async useOnce(key, ttlMs) {
      if (find(key)) return false;
      put(key, "", ttlMs);
      return true;
    },
    async release(key) {
      entries.delete(key);
    },
    async put(key, value, ttlMs) {
      put(key, value, ttlMs);
    },
    get: async (key) => find(key)?.value,
    async add(counter, amount, windowMs) {
      const known = counters.get(counter);
      const current = known && known.until > now() ? known : { sum: 0, until: now() + windowMs };
      current.sum += amount;
      counters.delete(counter);
      counters.set(counter, current);
      forgetOldest(counters);
      return current.sum;
    },
  };
}

function forgetOldest(map: Map<string, unknown>): void {
  if (map.size <= maxEntries) return;
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
