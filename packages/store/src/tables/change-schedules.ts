import {
  nextTimes,
  requireNextTime,
  scheduleEnded,
  scheduleEntry,
  scheduleNotFound,
  type Schedule,
  type Schedules,
} from "@bron/core";
import { isUuid } from "@bron/protocol";
import type pg from "pg";
import { inTransaction, type Transaction } from "../database/database.ts";
import { writeAudit } from "./audit.ts";
import { databaseNow, toSchedule, type Client, type ScheduleRow } from "./schedule-row.ts";

/** What the owner changes about a schedule that exists. */
export function scheduleChanges(
  pool: pg.Pool,
): Pick<Schedules, "change" | "pause" | "resume" | "remove"> {
  /** Locks the row, so that a sweep and a change of the owner come one after the other. */
  const change = async (
    ownerId: string,
    id: string,
    work: (schedule: Schedule, transaction: Transaction) => Promise<void>,
  ) =>
    await inTransaction(pool, async (transaction) => {
      const schedule = await lock(transaction.client, ownerId, id);
      await work(schedule, transaction);
    });
  return {
    change: (ownerId, id, { timing, ...changes }) =>
      change(ownerId, id, async (schedule, { client, db: inside }) => {
        const merged = { ...schedule, ...changes, ...timing };
        const isMoved = timing !== undefined || changes.endAt !== undefined;
        const now = await databaseNow(client);
        const nextAt =
          isMoved && schedule.state !== "paused"
            ? new Date(requireNextTime(merged, { after: now, endAt: merged.endAt }))
            : schedule.nextAt;
        const isTyped = changes.prompt !== undefined;
        await client.query(
          `update schedules set title = $3, prompt = $4, program = $5, is_proposed = $6, kind = $7, expression = $8, zone = $9,
             end_at = $10, missed = $11, overlap = $12, next_at = $13,
             state = case when state = 'ended' and $14 then 'active' else state end,
             reason = case when state = 'ended' and $14 then null else reason end
           where id = $1 and owner_id = $2`,
          [
            id,
            ownerId,
            merged.title,
            merged.prompt,
            (isTyped ? changes.program : schedule.program) ?? null,
            isTyped ? false : schedule.isProposed,
            merged.kind,
            merged.expression,
            merged.zone,
            merged.endAt,
            merged.missed,
            merged.overlap,
            nextAt,
            isMoved,
          ],
        );
        await writeAudit(inside, ownerId, [scheduleEntry("changed", merged)]);
      }),
    pause: (ownerId, id) =>
      change(ownerId, id, async (schedule, { client, db: inside }) => {
        if (schedule.state === "ended") throw scheduleEnded();
        if (schedule.state === "paused") return;
        await client.query(
          "update schedules set state = 'paused', reason = 'owner', next_at = null where id = $1",
          [id],
        );
        await writeAudit(inside, ownerId, [scheduleEntry("paused", schedule)]);
      }),
    resume: (ownerId, id) =>
      change(ownerId, id, async (schedule, { client, db: inside }) => {
        if (schedule.state === "ended") throw scheduleEnded();
        if (schedule.state === "active") return;
        const now = await databaseNow(client);
        const [next] = nextTimes(schedule, 1, { after: now, endAt: schedule.endAt });
        if (next === undefined) throw scheduleEnded();
        await client.query(
          "update schedules set state = 'active', reason = null, problem = null, failures = 0, next_at = $2 where id = $1",
          [id, new Date(next)],
        );
        await writeAudit(inside, ownerId, [scheduleEntry("resumed", schedule)]);
      }),
    remove: (ownerId, id) =>
      change(ownerId, id, async (schedule, { client, db: inside }) => {
        await client.query("delete from schedules where id = $1", [id]);
        await writeAudit(inside, ownerId, [scheduleEntry("removed", schedule)]);
      }),
  };
}

async function lock(client: Client, ownerId: string, id: string): Promise<Schedule> {
  if (!isUuid(id)) throw scheduleNotFound(id);
  const { rows } = await client.query<ScheduleRow>(
    "select * from schedules where id = $1 and owner_id = $2 for no key update",
    [id, ownerId],
  );
  if (!rows[0]) throw scheduleNotFound(id);
  return toSchedule(rows[0]);
}
