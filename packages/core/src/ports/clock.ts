/** Source of time and randomness, so that tests need no sleeps. */
export interface Clock {
  /** Wall clock, epoch milliseconds. */
  now(): number;
  /** Milliseconds that never go back. */
  monotonic(): number;
  /** Resolves after `ms` milliseconds, or immediately when the signal aborts. Never rejects. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
  /** 0 <= x < 1. Used for jitter. */
  random(): number;
}

export interface Ids {
  uuid(): string;
}
