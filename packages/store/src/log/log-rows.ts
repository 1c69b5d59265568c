import { upgradeEvent, type NewEvent, type RunEvent } from "@bron/protocol";
import type pg from "pg";

/** One append. `seq` is the seq of its last event. */
export interface LogRow {
  seq: number;
  at: Date;
  events: NewEvent[];
}

export function toRunEvents(runId: string, { seq, at, events }: LogRow): RunEvent[] {
  const createdAt = at.toISOString();
  return events.map((event, index) => ({
    ...upgradeEvent(event),
    runId,
    seq: seq - events.length + 1 + index,
    createdAt,
  }));
}

interface LogRange {
  readonly runId: string;
  readonly ownerId: string;
  readonly afterSeq: number;
  readonly limit?: number;
}

export async function readLog(
  pool: pg.Pool,
  { runId, ownerId, afterSeq, limit = 2 ** 31 - 1 }: LogRange,
): Promise<RunEvent[]> {
  const { rows } = await pool.query<LogRow>({
    name: "bron-log-1",
    text: "select seq, created_at as at, events from run_log where run_id = $1 and owner_id = $2 and seq > $3 order by seq limit $4",
    values: [runId, ownerId, afterSeq, limit],
  });
  return rows
    .flatMap((row) => toRunEvents(runId, row))
    .filter(({ seq }) => seq > afterSeq)
    .slice(0, limit);
}
