import type { Clock } from "@bron/core";

/** Waits for `work`, but no longer than `ms`, and leaves no timer behind. */
export async function withTimeout(ms: number, work: Promise<unknown>, clock: Clock): Promise<void> {
  const done = new AbortController();
  await Promise.race([work, clock.sleep(ms, done.signal)]);
  done.abort();
}
