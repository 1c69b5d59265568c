import type { Clock } from "../ports.ts";

const maxFailures = 12;

/**
 * Asks a database that may be away for a moment, until it answers or the signal, and with it the lease, says that there is no more
 * time. What is in flight keeps its result meanwhile. Throws what it threw last when it fails again and again.
 */
export async function withRetry<T>(
  clock: Clock,
  signal: AbortSignal,
  work: (failures: number) => Promise<T>,
): Promise<T | "given_up"> {
  for (let failures = 0; ;) {
    try {
      return await work(failures);
    } catch (error) {
      if (++failures >= maxFailures) throw error;
      await clock.sleep(Math.min(500, 50 * 2 ** failures), signal);
      if (signal.aborted) return "given_up";
    }
  }
}
