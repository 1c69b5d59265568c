import type { Load, LoadSource } from "@bron/core";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

export function postgresLoad(pool: pg.Pool): LoadSource {
  return wrapDatabaseErrors<LoadSource>({
    async load() {
      const { rows } = await pool.query<Load>({ name: "bron-load-1", text: loadStatement });
      return rows[0] ?? { runs: {}, approvalsPending: 0, oldestWaitingSeconds: 0 };
    },
    async ping() {
      await pool.query("select 1");
    },
  });
}

/**
 * Uses only partial indexes on unfinished rows. It reads runs by owner and Bron, because the index
 * on `runs` starts with them. A wait starts at the latest of the run's creation, wake time, last
 * sweep and end of lease.
 */
const loadStatement = `
select
  (select coalesce(jsonb_object_agg(status, runs), '{}') from (
    select r.status, count(*)::int as runs from brons b
      cross join lateral (select status from runs where owner_id = b.owner_id and bron_id = b.id and finished_at is null) r group by r.status
  ) by_status) as runs,
  (select count(*)::int from approvals where state = 'pending') as "approvalsPending",
  (select coalesce(extract(epoch from clock_timestamp() - min(greatest(created_at, wake_at, swept_at, lease_until)))::float8, 0) from runs
    where runnable and (lease_owner is null or lease_until < clock_timestamp())
      and (wake_at is null or wake_at <= clock_timestamp())) as "oldestWaitingSeconds"`;
