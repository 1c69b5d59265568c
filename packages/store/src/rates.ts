import type pg from "pg";
import { namingOutages } from "./database-errors.ts";

export interface Turn {
  /** Who does what: all that have the same one share a limit. */
  readonly key: string;
  /** The most in any window; 0 for no limit. */
  readonly limit: number;
  readonly windowMs: number;
}

/** `retryAfterMs` is Infinity if the limit itself is lower than what was asked for. */
export type TakenTurns =
  | { readonly ok: true }
  | { readonly ok: false; readonly retryAfterMs: number };

export interface Rates {
  /** Counts `count` turns (1 unless given) under every key or, if a single one has no room for all of them, none. Exact over all processes of a database, by its clock. */
  take(turns: readonly Turn[], count?: number): Promise<TakenTurns>;
  /** Takes back so many of the latest turns under every key, for what turned out not to count. */
  giveBack(keys: readonly string[], count: number): Promise<void>;
}

export function postgresRates(pool: pg.Pool): Rates {
  return namingOutages<Rates>({
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
    async giveBack(keys, count) {
      await pool.query(
        `delete from rate_turns where ctid = any (array(
           select latest.ctid from unnest($1::text[]) as given (key) cross join lateral (select r.ctid from rate_turns r where r.key = given.key order by r.at desc limit $2) latest))`,
        [keys, count],
      );
    },
  });
}
