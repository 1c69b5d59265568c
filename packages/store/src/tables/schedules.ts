import {
  requireNextTime,
  scheduledRun,
  scheduleEntry,
  scheduleNotFound,
  tooManySchedules,
  type NewSchedule,
  type Schedule,
  type ScheduledRun,
  type Schedules,
} from "@bron/core";
import { isUuid, maxSchedulesPerOwner } from "@bron/protocol";
import {
  inTransaction,
  toJson,
  type OpenDatabase,
  type Transaction,
} from "../database/database.ts";
import { createRun } from "../runs/create-run.ts";
import { startDue } from "../runs/start-due.ts";
import { pauseLost, recordPoll, takeDueWatches } from "../runs/watches.ts";
import type { WakeWriter } from "../runs/wake.ts";
import { writeAudit } from "./audit.ts";
import { ensureBron, requireActiveBron } from "./ensure-bron.ts";
import { scheduleChanges } from "./change-schedules.ts";
import { databaseNow, toSchedule, type ScheduleRow } from "./schedule-row.ts";

export function postgresSchedules(
  { pool, db }: Pick<OpenDatabase, "pool" | "db">,
  writer: WakeWriter,
): Schedules {
  const find = async (ownerId: string, id: string) => {
    if (!isUuid(id)) return undefined;
    const { rows } = await pool.query<ScheduleRow>(
      "select * from schedules where id = $1 and owner_id = $2",
      [id, ownerId],
    );
    return rows[0] && toSchedule(rows[0]);
  };
  return {
    create: (ownerId, schedule) =>
      inTransaction(pool, (transaction) => insert(transaction, ownerId, schedule)),
    get: find,
    async list(ownerId) {
      const { rows } = await pool.query<ScheduleRow>(
        "select * from schedules where owner_id = $1 order by created_at desc, id desc",
        [ownerId],
      );
      return rows.map(toSchedule);
    },
    async lastRuns(ownerId, ids) {
      const { rows } = await pool.query<LastRunRow>(
        `select r.schedule_id, r.id, r.due_at, r.status, r.outcome, r.created_at
         from unnest($2::uuid[]) as s (id) cross join lateral (
           select * from runs where schedule_id = s.id and owner_id = $1 order by created_at desc limit 3
         ) r order by r.created_at desc`,
        [ownerId, ids.filter(isUuid)],
      );
      const found = Map.groupBy(rows, ({ schedule_id: id }) => id);
      return new Map([...found].map(([id, runs]) => [id, runs.map(toScheduledRun)]));
    },
    ...scheduleChanges(pool),
    async runNow(ownerId, id, { key, caps }) {
      const schedule = await find(ownerId, id);
      if (!schedule) throw scheduleNotFound(id);
      const run = scheduledRun(schedule, { key: `now ${key}`, dueAt: null, caps });
      const created = await createRun(db, writer, run);
      if (created.created) await writeAudit(db, ownerId, [scheduleEntry("started", schedule)]);
      return created;
    },
    startDue: (options) => startDue({ pool, writer }, options),
    takeDueWatches: (limit) => takeDueWatches(pool, limit),
    recordPoll: (poll, caps) => recordPoll(writer, poll, caps),
    pauseLost: (ownerId, id, problem) => pauseLost(pool, { ownerId, id, problem }),
  };
}

async function insert(
  { client, db }: Transaction,
  ownerId: string,
  schedule: NewSchedule,
): Promise<Schedule> {
  const bronId = await ensureBron(db, ownerId, schedule.bronId);
  await requireActiveBron(db, ownerId, bronId);
  // Serialized, so that the limit holds and the same id is created once.
  await client.query("select 1 from owners where id = $1 for no key update", [ownerId]);
  const { rows } = await client.query<ScheduleRow>("select * from schedules where owner_id = $1", [
    ownerId,
  ]);
  const known = rows.find(({ id }) => id === schedule.id);
  if (known) return toSchedule(known);
  if (rows.length >= maxSchedulesPerOwner) throw tooManySchedules();
  const now = await databaseNow(client);
  const next = requireNextTime(schedule, { after: now, endAt: schedule.endAt });
  // A watch polls at once, so that what is there now does not count later.
  const nextAt = schedule.watch ? now : next;
  const inserted = await client.query<ScheduleRow>(
    `insert into schedules (id, owner_id, bron_id, title, prompt, program, is_proposed, kind, expression, zone, watch,
       missed, overlap, end_at, trust_level, caps, state, next_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, 'active', $17) returning *`,
    [
      schedule.id,
      ownerId,
      bronId,
      schedule.title,
      schedule.prompt,
      schedule.program ?? null,
      schedule.isProposed,
      schedule.kind,
      schedule.expression,
      schedule.zone,
      schedule.watch ? toJson(schedule.watch) : null,
      schedule.missed,
      schedule.overlap,
      schedule.endAt,
      schedule.trustLevel,
      toJson(schedule.caps),
      new Date(nextAt),
    ],
  );
  await writeAudit(db, ownerId, [scheduleEntry("created", schedule)]);
  return toSchedule(inserted.rows[0]!);
}

interface LastRunRow {
  readonly schedule_id: string;
  readonly id: string;
  readonly due_at: Date | null;
  readonly status: ScheduledRun["status"];
  readonly outcome: ScheduledRun["outcome"];
  readonly created_at: Date;
}

const toScheduledRun = (row: LastRunRow): ScheduledRun => ({
  id: row.id,
  dueAt: row.due_at?.toISOString() ?? null,
  status: row.status,
  outcome: row.outcome,
  createdAt: row.created_at.toISOString(),
});
