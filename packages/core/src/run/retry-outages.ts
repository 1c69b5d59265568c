import { outageOf, type BronError } from "../errors.ts";
import type { Clock } from "../ports.ts";

const longestPauseMs = 2_000;

export interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly maxMs?: number;
  /** Called at the first failure only. */
  readonly onOutage: (outage: BronError) => void;
}

/**
 * Repeats work that met an outage of Bron's storage, with growing pauses. Undefined if the signal aborts first: a worker whose lease is
 * at risk aborts it, and so does a run that is stopped or reaches its time cap, except for looks into effects. Those give `maxMs`, after
 * which the outage is thrown. Any other error is thrown as it is.
 */
export async function retryOutages<T>(
  { clock, signal, maxMs = Number.POSITIVE_INFINITY, onOutage }: RetryOptions,
  work: () => Promise<T>,
): Promise<T | undefined> {
  const deadline = clock.monotonic() + maxMs;
  for (let failures = 1; ; failures++) {
    try {
      return await work();
    } catch (error) {
      const outage = outageOf(error);
      if (!outage || clock.monotonic() >= deadline) throw error;
      if (failures === 1) onOutage(outage);
    }
    await clock.sleep(Math.min(longestPauseMs, 100 * 2 ** failures), signal);
    if (signal.aborted) return undefined;
  }
}
