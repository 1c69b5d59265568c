import { moveDue, scheduledRun, scheduleEntry, type StartDueOptions } from "@bron/core";
import { maxScheduleFailures } from "@bron/protocol";
import { writeAudit } from "../tables/audit.ts";
import { toSchedule, type Client, type ScheduleRow } from "../tables/schedule-row.ts";
import type pg from "pg";
import { insertRun } from "./insert-run.ts";
import type { WakeWriter, WakingTransaction } from "./wake.ts";

interface DueRow extends ScheduleRow {
  readonly now: Date;
  readonly has_open_run: boolean;
  /** A run of this due time exists, for example because the database's clock was set back. */
  readonly is_started: boolean;
  readonly is_archived: boolean;
  readonly is_budget_spent: boolean;
}

/** See `Schedules`. Rows that another worker holds are left to it. */
export async function startDue(
  { pool, writer }: { readonly pool: pg.Pool; readonly writer: WakeWriter },
  { limit, caps }: StartDueOptions,
): Promise<number> {
  if (!(await hasWork(pool))) return 0;
  return await writer.transaction(async (transaction) => {
    const { client } = transaction;
    await countEnds(transaction);
    const { rows } = await client.query<DueRow>({
      name: "bron-due-schedules-1",
      text: `
        with due as materialized (
          select id from schedules s where state = 'active' and watch is null and next_at <= clock_timestamp()
            and not (overlap = 'wait' and ${hasOpenRun})
          order by next_at limit $1 for update skip locked
        )
        select s.*, clock_timestamp() as now, ${hasOpenRun} as has_open_run,
          exists (select from runs r where r.schedule_id = s.id and r.due_at = s.next_at) as is_started,
          exists (select from brons b where b.id = s.bron_id and b.archived_at is not null) as is_archived,
          ${isBudgetSpent} as is_budget_spent
        from schedules s join due using (id) order by s.next_at`,
      values: [limit],
    });
    for (const row of rows) await move(transaction, row, caps);
    return rows.length;
  });
}

/** Most sweeps find nothing, and need no transaction for it. */
async function hasWork(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ has_work: boolean }>({
    name: "bron-has-due-schedules-1",
    text: `
      select exists (select from schedules where state = 'active' and watch is null and next_at <= clock_timestamp())
        or exists (select from runs where schedule_open and schedule_id is not null and final_status is not null) as has_work`,
  });
  return rows[0]?.has_work === true;
}

/** See `isBudgetSpent` of core. */
const isBudgetSpent = `exists (
  select from owners o cross join lateral (
    select coalesce(sum(d.drawn_microusd) filter (where d.day = (clock_timestamp() at time zone o.zone)::date), 0) as day, coalesce(sum(d.drawn_microusd), 0) as month
    from owner_spending d where d.owner_id = o.id and d.day >= date_trunc('month', clock_timestamp() at time zone o.zone)::date
  ) spent
  where o.id = s.owner_id and (spent.day >= o.day_cap_microusd or spent.month >= o.month_cap_microusd))`;

const hasOpenRun =
  "exists (select from runs r where r.schedule_id = s.id and r.schedule_open and r.final_status is null)";

async function move(
  transaction: WakingTransaction,
  row: DueRow,
  caps: StartDueOptions["caps"],
): Promise<void> {
  const { client, db } = transaction;
  const schedule = toSchedule(row);
  const { nextAt: dueAt } = schedule;
  if (dueAt === null) return;
  if (row.is_archived) {
    await pause(client, schedule.id, "bron_archived");
    await writeAudit(db, schedule.ownerId, [
      scheduleEntry("paused", schedule, { by: "system", reason: "bron_archived" }),
    ]);
    return;
  }
  const { starts, skipped, nextAt, reason } = moveDue(
    { ...schedule, nextAt: dueAt },
    {
      now: row.now.getTime(),
      isBudgetSpent: row.is_budget_spent,
      hasOpenRun: row.has_open_run,
    },
  );
  if (starts && !row.is_started) {
    const run = scheduledRun(schedule, { key: dueAt, dueAt, caps });
    const inserted = await insertRun(client, run, { bronId: schedule.bronId });
    if (inserted)
      await transaction.wake({
        runId: inserted.id,
        ownerId: schedule.ownerId,
        wake: 1,
        delayMs: 0,
        held: false,
      });
  }
  await client.query(
    `update schedules set next_at = $2, state = case when $2::timestamptz is null then 'ended' else state end, reason = $3,
       skipped_at = case when $4::text is null then skipped_at else $5 end, skipped_reason = coalesce($4, skipped_reason)
     where id = $1`,
    [schedule.id, nextAt, reason, skipped ?? null, dueAt],
  );
}

async function pause(client: Client, id: string, reason: string): Promise<void> {
  await client.query(
    "update schedules set state = 'paused', reason = $2, next_at = null where id = $1",
    [id, reason],
  );
}

interface CountedRow extends Pick<ScheduleRow, "id" | "owner_id" | "title"> {
  readonly is_paused: boolean;
}

/** Counts what became of ended runs. Canceled ones change nothing. */
async function countEnds({ client, db }: WakingTransaction): Promise<void> {
  // One worker at a time, because two could lock the same schedules in another order.
  const lock = await client.query<{ locked: boolean }>(
    "select pg_try_advisory_xact_lock(hashtextextended(current_schema() || '.count_schedule_ends', 0)) as locked",
  );
  if (lock.rows[0]?.locked !== true) return;
  const { rows } = await client.query<CountedRow>({
    name: "bron-count-schedule-ends-1",
    text: `
      with ended as materialized (
        select id from runs where schedule_open and schedule_id is not null and final_status is not null
        order by id limit 500 for no key update skip locked
      ),
      counted as (
        update runs r set schedule_open = false from ended where r.id = ended.id
        returning r.schedule_id, r.final_status, r.finished_at
      ),
      one as (
        select schedule_id, max(finished_at) filter (where final_status = 'completed') as good_at from counted group by schedule_id
      )
      update schedules s set
        failures = n.failures,
        state = case when s.state = 'active' and n.failures >= $1 then 'paused' else s.state end,
        reason = case when s.state = 'active' and n.failures >= $1 then 'failures' else s.reason end,
        next_at = case when s.state = 'active' and n.failures >= $1 then null else s.next_at end
      from (
        select one.schedule_id, case when one.good_at is null then before.failures else 0 end
          + (select count(*)::int from counted c where c.schedule_id = one.schedule_id and c.final_status = 'failed'
              and (one.good_at is null or c.finished_at > one.good_at)) as failures, before.state as before
        from one join schedules before on before.id = one.schedule_id
      ) n
      where s.id = n.schedule_id
      returning s.id, s.owner_id, s.title, s.state = 'paused' and s.reason = 'failures' and n.before = 'active' as is_paused`,
    values: [maxScheduleFailures],
  });
  for (const row of rows)
    if (row.is_paused)
      await writeAudit(db, row.owner_id, [
        scheduleEntry("paused", row, { by: "system", reason: "failures" }),
      ]);
}
