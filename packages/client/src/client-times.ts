/** All times are in milliseconds. */
export interface ClientTimes {
  /** How long a request waits for the response headers. */
  readonly responseTimeoutMs: number;
  /** How long `events` waits for an unreachable server before it gives up. */
  readonly giveUpAfterMs: number;
  /**
   * The delay between two attempts. It starts with the first value and doubles after each attempt
   * up to the second. Jitter subtracts up to half.
   */
  readonly firstWaitMs: number;
  readonly maxWaitMs: number;
  /**
   * A stream without data for this long counts as dead. The server sends a heartbeat every 20 s.
   */
  readonly silenceMs: number;
  /** The interval of polling, which is used if streams are refused or keep failing. */
  readonly pollMs: number;
  /** How long streams must fail before the client starts to poll. */
  readonly pollAfterMs: number;
  /** How long the client polls before it tries a stream again. */
  readonly retryStreamAfterMs: number;
}

export const defaultTimes: ClientTimes = {
  responseTimeoutMs: 30_000,
  giveUpAfterMs: 60_000,
  firstWaitMs: 500,
  maxWaitMs: 10_000,
  silenceMs: 60_000,
  pollMs: 3_000,
  pollAfterMs: 90_000,
  retryStreamAfterMs: 30_000,
};

/**
 * The delay after `tries` failed attempts. The jitter keeps clients that lost the same server from
 * reconnecting at the same time.
 */
export function backoffMs(tries: number, { firstWaitMs, maxWaitMs }: ClientTimes): number {
  return Math.min(maxWaitMs, firstWaitMs * 2 ** tries) * (0.5 + Math.random() / 2);
}

/** Resolves early when the signal aborts. */
export function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener("abort", end);
    if (signal?.aborted) end();
  });
}
