import type { Rates } from "@bron/core";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

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
           select latest.ctid from unnest($1::text[]) as given (key)
             cross join lateral (select r.ctid from rate_turns r where r.key = given.key order by r.at desc limit $2) latest))`,
        [keys, count],
      );
    },
  });
}
