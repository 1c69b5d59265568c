import type pg from "pg";
import type { SeenEvent } from "./run-reader.ts";

/** Reads the log directly from the database. */
export async function readLog(client: pg.Client, runId: string): Promise<SeenEvent[]> {
  const { rows } = await client.query<SeenEvent>(
    'select seq, type, payload, created_at as "createdAt" from run_events where run_id = $1 order by seq',
    [runId],
  );
  return rows;
}
