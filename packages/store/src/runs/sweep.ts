import type { TakeRequest, Wake } from "@bron/core";
import { logVersion } from "@bron/protocol";
import type pg from "pg";
import { withDatabaseErrors } from "../database/database-errors.ts";

/** `RunLog.takeRunnable` on Postgres. */
export async function takeRunnable(pool: pg.Pool, request: TakeRequest): Promise<Wake[]> {
  return await withDatabaseErrors(async () => await take(pool, request));
}

async function take(
  pool: pg.Pool,
  {
    worker,
    active,
    only,
    serves,
    limit,
    leaseMs,
    takeOverUntil,
    maxPerOwner,
    maxInAll,
  }: TakeRequest,
): Promise<Wake[]> {
  const { rows } = await pool.query<{ id: string; owner_id: string; wakes: number }>({
    name: "bron-take-runnable-3",
    text: `
      with live as (
        select owner_id, count(*) as runs from runs where lease_owner is not null and lease_is_live(lease_until, $9) group by owner_id
      ),
      waiting as (
        select id, created_at, row_number() over (partition by owner_id
          order by created_at) + coalesce((select live.runs from live where live.owner_id = r.owner_id), 0) as turn
        from runs r
        where runnable and ($8::uuid[] is null or id = any($8)) and log_version <= $4
          and (wake_at is null or wake_at <= clock_timestamp() or cancel_requested_at is not null)
          and (swept_at is null or swept_at < clock_timestamp() - interval '1 second')
          and (place is null or place @> any($10::jsonb[]) or (cancel_requested_at is not null and not place_is_served(place)))
          and (lease_owner is null or (lease_owner = $1 and not id = any($7::uuid[])) or may_take_over(lease_until, $3::timestamptz, $9))
      ),
      chosen as (
        select r.id from runs r join waiting w using (id)
        -- Again on the row as it is when it is locked: another sweeper may have been here.
        where w.turn <= $5 and r.runnable and (r.swept_at is null or r.swept_at < clock_timestamp() - interval '1 second')
        order by w.turn, w.created_at limit greatest(0, least($2, $6 - (select coalesce(sum(live.runs), 0) from live))) for update of r skip locked
      )
      update runs r set swept_at = clock_timestamp(), wakes = r.wakes + 1 from chosen where r.id = chosen.id
      returning r.id, r.owner_id, r.wakes`,
    values: [
      worker,
      limit,
      new Date(takeOverUntil),
      logVersion,
      maxPerOwner,
      maxInAll,
      active,
      only ?? null,
      leaseMs,
      serves,
    ],
  });
  return rows.map((row) => ({
    runId: row.id,
    ownerId: row.owner_id,
    wake: row.wakes,
    delayMs: 0,
    held: false,
  }));
}
