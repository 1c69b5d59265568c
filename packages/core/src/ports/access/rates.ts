export interface Turn {
  /** Identifies the caller and the action. All requests with the same key share a limit. */
  readonly key: string;
  /** The maximum in any window. 0 means no limit. */
  readonly limit: number;
  readonly windowMs: number;
}

/** `retryAfterMs` is Infinity if the count exceeds the limit itself. */
type RateResult = { readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number };

export interface Rates {
  /**
   * Counts `count` requests (default 1) under every key, or none if one of the keys has no room for
   * all of them. Exact across all processes of a database, by the database clock.
   */
  take(turns: readonly Turn[], count?: number): Promise<RateResult>;
  /**
   * Removes the latest `count` requests under every key, for requests that turned out not to count.
   */
  refund(keys: readonly string[], count: number): Promise<void>;
}
