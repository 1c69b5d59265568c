import type { Schedule } from "@bron/core";
import type pg from "pg";

export interface ScheduleRow {
  readonly id: string;
  readonly owner_id: string;
  readonly bron_id: string;
  readonly title: string;
  readonly prompt: string;
  readonly program: string | null;
  readonly is_proposed: boolean;
  readonly kind: Schedule["kind"];
  readonly expression: string;
  readonly zone: string;
  readonly watch: Schedule["watch"];
  readonly cursor: string | null;
  readonly missed: Schedule["missed"];
  readonly overlap: Schedule["overlap"];
  readonly end_at: Date | null;
  readonly trust_level: Schedule["trustLevel"];
  readonly caps: Schedule["caps"];
  readonly state: Schedule["state"];
  readonly reason: Schedule["reason"];
  readonly problem: string | null;
  readonly failures: number;
  readonly next_at: Date | null;
  readonly skipped_at: Date | null;
  readonly skipped_reason: NonNullable<Schedule["skipped"]>["reason"] | null;
  readonly created_at: Date;
}

export function toSchedule(row: ScheduleRow): Schedule {
  return {
    id: row.id,
    ownerId: row.owner_id,
    bronId: row.bron_id,
    title: row.title,
    prompt: row.prompt,
    ...(row.program === null ? {} : { program: row.program }),
    isProposed: row.is_proposed,
    kind: row.kind,
    expression: row.expression,
    zone: row.zone,
    watch: row.watch,
    missed: row.missed,
    overlap: row.overlap,
    endAt: row.end_at?.toISOString() ?? null,
    trustLevel: row.trust_level,
    caps: row.caps,
    state: row.state,
    reason: row.reason,
    problem: row.problem,
    failures: row.failures,
    nextAt: row.next_at?.toISOString() ?? null,
    skipped:
      row.skipped_at === null || row.skipped_reason === null
        ? null
        : { at: row.skipped_at.toISOString(), reason: row.skipped_reason },
    createdAt: row.created_at.toISOString(),
  };
}

export type Client = Pick<pg.PoolClient, "query">;

/** The database's clock, in epoch milliseconds. */
export async function databaseNow(client: Client): Promise<number> {
  const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
  return rows[0]?.now.getTime() ?? 0;
}
