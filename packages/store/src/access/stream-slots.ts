import type { StreamSlots } from "@bron/core";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

export function postgresStreamSlots(pool: pg.Pool): StreamSlots {
  return wrapDatabaseErrors<StreamSlots>({
    async take({ id, ownerId, max, holder, ttlMs }) {
      const { rows } = await pool.query<{ taken: boolean }>(
        `select take_stream_slot($1, $2, $3, $4, $5) as taken`,
        [ownerId, max, id, holder, ttlMs],
      );
      return rows[0]?.taken ?? false;
    },
    async renew(holder, slots, ttlMs) {
      // Also removes expired slots that crashed processes left.
      await pool.query(
        `with gone as (delete from stream_slots
          where id in (select id from stream_slots where good_until < clock_timestamp() - interval '1 hour' and holder <> $1 for update skip locked))
         insert into stream_slots (id, owner_id, holder, good_until)
         select id, owner, $1, clock_timestamp() + $4::float8 * interval '1 millisecond' from unnest($2::uuid[], $3::text[]) as held (id, owner)
         on conflict (id) do update set good_until = excluded.good_until`,
        [holder, [...slots.keys()], [...slots.values()], ttlMs],
      );
    },
    async remove(id) {
      await pool.query(`delete from stream_slots where id = $1`, [id]);
    },
    async removeAll(holder) {
      await pool.query(`delete from stream_slots where holder = $1`, [holder]);
    },
  });
}
