import {
  nextTimes,
  scheduledRun,
  scheduleEntry,
  type DueWatch,
  type RecordedPoll,
} from "@bron/core";
import type { Caps } from "@bron/protocol";
import type pg from "pg";
import { inTransaction } from "../database/database.ts";
import { writeAudit } from "../tables/audit.ts";
import { databaseNow, toSchedule, type ScheduleRow } from "../tables/schedule-row.ts";
import { insertRun } from "./insert-run.ts";
import type { WakeWriter } from "./wake.ts";

/** See `Schedules`. */
export async function takeDueWatches(pool: pg.Pool, limit: number): Promise<DueWatch[]> {
  return await inTransaction(pool, async ({ client }) => {
    const { rows } = await client.query<ScheduleRow>({
      name: "bron-due-watches-1",
      text: `
        select * from schedules where state = 'active' and watch is not null and next_at <= clock_timestamp()
        order by next_at limit $1 for update skip locked`,
      values: [limit],
    });
    const now = rows.length > 0 ? await databaseNow(client) : 0;
    const taken: DueWatch[] = [];
    for (const row of rows) {
      const schedule = toSchedule(row);
      const anchor = row.next_at?.getTime() ?? now;
      const [next] = nextTimes(schedule, 1, { after: now, anchor, endAt: schedule.endAt });
      await client.query(
        `update schedules set next_at = $2, state = case when $2::timestamptz is null then 'ended' else state end,
           reason = case when $2::timestamptz is null then 'end_date' end where id = $1`,
        [row.id, next === undefined ? null : new Date(next)],
      );
      if (schedule.watch && next !== undefined)
        taken.push({ schedule: { ...schedule, watch: schedule.watch }, cursor: row.cursor });
    }
    return taken;
  });
}

/** See `Schedules`. */
export async function recordPoll(
  writer: WakeWriter,
  { scheduleId, ownerId, from, cursor, tasks }: RecordedPoll,
  caps: Caps,
): Promise<boolean> {
  return await writer.transaction(async ({ client, wake }) => {
    const { rows } = await client.query<ScheduleRow>(
      `update schedules set cursor = $4 where id = $1 and owner_id = $2 and cursor is not distinct from $3 and state = 'active' returning *`,
      [scheduleId, ownerId, from, cursor],
    );
    if (!rows[0]) return false;
    const schedule = toSchedule(rows[0]);
    const now = new Date(await databaseNow(client)).toISOString();
    for (const [place, text] of tasks.entries()) {
      const run = scheduledRun(schedule, {
        key: `${now} ${place}`,
        dueAt: now,
        caps,
        context: [text],
      });
      const inserted = await insertRun(client, run, { bronId: schedule.bronId });
      if (inserted) await wake({ runId: inserted.id, ownerId, wake: 1, delayMs: 0, held: false });
    }
    return true;
  });
}

/** See `Schedules`. */
export async function pauseLost(
  pool: pg.Pool,
  { ownerId, id, problem }: { readonly ownerId: string; readonly id: string; problem: string },
): Promise<void> {
  await inTransaction(pool, async ({ client, db }) => {
    const { rows } = await client.query<ScheduleRow>(
      `update schedules set state = 'paused', reason = 'account_lost', problem = $3, next_at = null
       where id = $1 and owner_id = $2 and state = 'active' returning *`,
      [id, ownerId, problem],
    );
    if (rows[0])
      await writeAudit(db, ownerId, [
        scheduleEntry("paused", rows[0], { by: "system", reason: "account_lost" }),
      ]);
  });
}
