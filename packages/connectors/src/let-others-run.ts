import { setImmediate } from "node:timers/promises";

/** Gives the event loop a turn, so that long work on one task leaves time for the requests and leases of all others. */
export async function letOthersRun(): Promise<void> {
  await setImmediate();
}
