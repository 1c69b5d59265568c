import { workerTimeoutMs, type Workers } from "@bron/core";
import type { PlaceView } from "@bron/protocol";
import type pg from "pg";
import { toJson } from "../database/database.ts";

export function postgresWorkers(pool: pg.Pool): Workers {
  return {
    async report(worker, places) {
      await pool.query(
        `insert into workers (name, places, seen_at) values ($1, $2::jsonb[], clock_timestamp())
         on conflict (name) do update set places = excluded.places, seen_at = excluded.seen_at`,
        [worker, places],
      );
      await pool.query(
        `delete from workers where seen_at < clock_timestamp() - interval '${10 * workerTimeoutMs} milliseconds'`,
      );
    },
    async remove(worker) {
      await pool.query("delete from workers where name = $1", [worker]);
    },
    async places(ownerId) {
      const { rows } = await pool.query<PlaceView>(
        `select place, place_is_served(place) as "isServed", count(*)::int as runs from runs
         where owner_id = $1 and place is not null and finished_at is null group by place order by min(created_at)`,
        [ownerId],
      );
      return rows;
    },
    async isServed(place) {
      const { rows } = await pool.query<{ served: boolean }>(
        "select place_is_served($1::jsonb) as served",
        [toJson(place)],
      );
      return rows[0]?.served === true;
    },
  };
}
