import { setImmediate } from "node:timers/promises";

/**
 * Yields to the event loop, so that long work on one task leaves time for the requests and leases
 * of all others.
 */
export async function yieldToEventLoop(): Promise<void> {
  await setImmediate();
}
