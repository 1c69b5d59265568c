import type pg from "pg";
import { wrapDatabaseErrors } from "./database-errors.ts";

export interface Turn {
  /** Identifies the caller and the action. All requests with the same key share a limit. */
  readonly key: string;
  /** The maximum in any window. 0 means no limit. */
  readonly limit: number;
  readonly windowMs: number;
}

/** `retryAfterMs` is Infinity if the count exceeds the limit itself. */
export type RateResult =
  | { readonly ok: true }
  | { readonly ok: false; readonly retryAfterMs: number };

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

export function postgresRates(pool: pg.Pool): Rates {
  return wrapDatabaseErrors<Rates>({
    async take(turns, count = 1) {
      const limited = turns.filter(({ limit }) => limit !== 0);
      if (limited.length === 0) return { ok: true };
      const { rows } = await pool.query<{ wait: number | null }>({
        name: "bron-turns-1",
        text: `select take_turns($1, $2, $3, $4) as wait`,
        values: [
          limited.map(({ key }) => key),
          limited.map(({ limit }) => limit),
          limited.map(({ windowMs }) => windowMs),
          count,
        ],
      });
      const wait = rows[0]?.wait ?? null;
      return wait === null ? { ok: true } : { ok: false, retryAfterMs: wait };
    },
    async refund(keys, count) {
      await pool.query(
        `delete from rate_turns where ctid = any (array(
           select latest.ctid from unnest($1::text[]) as given (key) cross join lateral (select r.ctid from rate_turns r where r.key = given.key order by r.at desc limit $2) latest))`,
        [keys, count],
      );
    },
  });
}
