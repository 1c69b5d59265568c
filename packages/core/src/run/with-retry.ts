import type { Clock } from "../ports/clock.ts";

const maxFailures = 12;

/**
 * Repeats a database call until it succeeds or the signal aborts. The signal aborts when the lease
 * leaves no more time. Results of work in flight are kept meanwhile. Throws the last error after
 * too many failures.
 */
export async function withRetry<T>(
  clock: Clock,
  signal: AbortSignal,
  work: (failures: number) => Promise<T>,
): Promise<T | "gave_up"> {
  for (let failures = 0; ;) {
    try {
      return await work(failures);
    } catch (error) {
      if (++failures >= maxFailures) throw error;
      await clock.sleep(Math.min(500, 50 * 2 ** failures), signal);
      if (signal.aborted) return "gave_up";
    }
  }
}
