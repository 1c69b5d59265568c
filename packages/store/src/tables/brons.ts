import type { Brons } from "@bron/core";
import type { OpenDatabase } from "../database/database.ts";
import { wrapDatabaseErrors } from "../database/database-errors.ts";
import { changeBron, insertBron, setBronArchived, undoSummary } from "./change-brons.ts";
import { ensureBron } from "./ensure-bron.ts";
import { toBronView, type BronRow } from "./rows.ts";
import { waitsForOf } from "../runs/waits-for.ts";
import { isUuid } from "@bron/protocol";

export function postgresBrons({ db, pool }: Pick<OpenDatabase, "db" | "pool">): Brons {
  const read = async (ownerId: string, bronId: string | null) =>
    (
      await pool.query<BronRow>({
        name: "bron-brons-4",
        text: bronsStatement,
        values: [ownerId, bronId],
      })
    ).rows.map(toBronView);
  return wrapDatabaseErrors({
    async list(ownerId) {
      const found = await read(ownerId, null);
      if (found.length > 0) return found;
      await ensureBron(db, ownerId);
      return await read(ownerId, null);
    },

    get: async (ownerId, bronId) => (isUuid(bronId) ? (await read(ownerId, bronId))[0] : undefined),

    create: (ownerId, bron) => insertBron({ db, pool }, ownerId, bron),
    change: (ownerId, bronId, changes) => changeBron(pool, { ownerId, bronId }, changes),
    undoSummary: (ownerId, bronId) => undoSummary(pool, { ownerId, bronId }),
    setArchived: (ownerId, bronId, isArchived) =>
      setBronArchived(pool, { ownerId, bronId }, isArchived),
  });
}

/**
 * `run` is the run that determines a Bron's status: one that waits for a person, else an active
 * one, else the one that ended last. An unfinished run has no `finished_at`, which is how the index
 * finds the few active ones.
 */
const bronsStatement = `
with pending as (
  select r.bron_id, count(*) as count from approvals a join runs r on r.id = a.run_id and r.owner_id = $1
    where a.owner_id = $1 and a.state = 'pending'
    and (a.snoozed_until is null or a.snoozed_until <= clock_timestamp()) group by r.bron_id
)
select b.*, run.id as run_id, run.title as run_title, run.status as run_status, run.not_done as run_not_done,
  run.outcome as run_outcome, run.waits_for as run_waits_for, run.card,
  run.finished_at > clock_timestamp() - interval '1 day' as ended_lately, coalesce(pending.count, 0) as pending_approvals,
  greatest(
    b.created_at,
    (select max(r.finished_at) from runs r where r.owner_id = $1 and r.bron_id = b.id and r.kind = 'task'),
    (select max(l.created_at) from runs r join run_log l on l.run_id = r.id and l.seq = r.last_seq
      where r.owner_id = $1 and r.bron_id = b.id and r.kind = 'task' and r.finished_at is null)
  ) as last_activity_at
from brons b
left join pending on pending.bron_id = b.id
left join lateral (
  (select case r.status when 'awaiting_confirmation' then 1 when 'awaiting_auth' then 2 else 3
    end as place, r.created_at, r.id, r.title, r.status, r.not_done, r.outcome, r.card, r.finished_at, ${waitsForOf("r")} as waits_for
   from runs r where r.owner_id = $1 and r.bron_id = b.id and r.parent_run_id is null and r.kind = 'task' and r.finished_at is null order by place, r.created_at desc limit 1)
  union all
  (select 4, r.created_at, r.id, r.title, r.status, r.not_done, r.outcome, r.card, r.finished_at, null
    from runs r where r.owner_id = $1 and r.bron_id = b.id and r.parent_run_id is null and r.kind = 'task' and r.finished_at is not null order by r.finished_at desc limit 1)
  order by place limit 1
) run on true
where b.owner_id = $1 and ($2::uuid is null or b.id = $2)
order by last_activity_at desc, b.id`;
