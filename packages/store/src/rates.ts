import type pg from "pg";
import { namingOutages } from "./database-errors.ts";

export interface Turn {
  /** Who does what: all that have the same one share a limit. */
  readonly key: string;
  /** The most in any window; 0 for no limit. */
  readonly limit: number;
  readonly windowMs: number;
}

export interface Rates {
  /** Counts under every key or, if a single one is over its limit, under none. Exact over all processes of a database, by its clock. */
  take(turns: readonly Turn[]): Promise<{ readonly ok: true } | { readonly ok: false; readonly retryAfterMs: number }>;
}

export function postgresRates(pool: pg.Pool): Rates {
  return namingOutages<Rates>({
    async take(turns) {
      const limited = turns.filter(({ limit }) => limit !== 0);
      if (limited.length === 0) return { ok: true };
      const { rows } = await pool.query<{ wait: number | null }>({
        name: "bron-turn-1",
        text: `select take_turn($1, $2, $3) as wait`,
        values: [limited.map(({ key }) => key), limited.map(({ limit }) => limit), limited.map(({ windowMs }) => windowMs)],
      });
      const wait = rows[0]?.wait ?? null;
      return wait === null ? { ok: true } : { ok: false, retryAfterMs: wait };
    },
  });
}
