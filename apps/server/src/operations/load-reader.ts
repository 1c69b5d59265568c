import type { Load } from "@bron/core";

/** Cached this long, so that several scrapers share one query. */
const cacheMs = 5_000;
const timeoutMs = 2_000;

/** Resolves to undefined if the database does not respond in time. Never throws. */
export function createLoadReader(
  now: () => number = () => performance.now(),
): (load: () => Promise<Load>) => Promise<Load | undefined> {
  let latest: { readonly at: number; readonly load: Promise<Load | undefined> } | undefined;
  return (load) => {
    if (!latest || now() - latest.at >= cacheMs) latest = { at: now(), load: withTimeout(load()) };
    return latest.load;
  };
}

async function withTimeout(query: Promise<Load>): Promise<Load | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  return await Promise.race([query.catch(() => undefined), late]).finally(() =>
    clearTimeout(timer),
  );
}
