import type { Clock } from "@bron/core";

/** Remembers what was loaded for a short time. A failure is not kept. */
export interface Cache {
  load<T>(key: string, load: () => Promise<T>): Promise<T>;
  forget(key: string): void;
}

export function createCache(clock: Pick<Clock, "monotonic">, forMs: number): Cache {
  const entries = new Map<string, { readonly until: number; readonly value: Promise<unknown> }>();
  return {
    load<T>(key: string, load: () => Promise<T>): Promise<T> {
      const known = entries.get(key);
      if (known && clock.monotonic() < known.until) return known.value as Promise<T>;
      const value = load();
      entries.set(key, { until: clock.monotonic() + forMs, value });
      value.catch(() => entries.delete(key));
      return value;
    },
    forget: (key) => void entries.delete(key),
  };
}
