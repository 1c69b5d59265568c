import type { Load } from "bron";

/** Scrapers come from several sides; the database is asked for all of them together. */
const keptMs = 5_000;
const patienceMs = 2_000;

/** Undefined if the database does not answer in time. Never throws. */
export function createLoadReader(
  now: () => number = () => performance.now(),
): (load: () => Promise<Load>) => Promise<Load | undefined> {
  let latest: { readonly at: number; readonly load: Promise<Load | undefined> } | undefined;
  return (load) => {
    if (!latest || now() - latest.at >= keptMs) latest = { at: now(), load: inTime(load()) };
    return latest.load;
  };
}

async function inTime(asking: Promise<Load>): Promise<Load | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), patienceMs);
  });
  return await Promise.race([asking.catch(() => undefined), late]).finally(() =>
    clearTimeout(timer),
  );
}
