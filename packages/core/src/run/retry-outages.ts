import { outageOf, type Outage } from "../errors.ts";
import type { Clock } from "../ports/clock.ts";

const maxPauseMs = 2_000;

interface RetryOptions {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly maxMs?: number;
  /** Called at the first failure only. */
  readonly onOutage: (outage: Outage) => void;
}

/**
 * Repeats work that hit an outage of Bron's storage, with growing pauses. Returns undefined if the
 * signal aborts first. The signal aborts when the lease is at risk, and when the run is canceled or
 * reaches its time cap. Reconcile calls are not aborted with their run, so they pass `maxMs`, after
 * which the outage is thrown. Any other error is thrown unchanged.
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
    await clock.sleep(Math.min(maxPauseMs, 100 * 2 ** failures), signal);
    if (signal.aborted) return undefined;
  }
}
