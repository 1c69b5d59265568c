import { openDatabase, openEmbeddedPostgres } from "@bron/store";
import type { StartedBron } from "./started-bron.ts";

/** Runs a statement directly in the database of a started server. */
export async function inStore(
  bron: Pick<StartedBron, "home">,
  sql: string,
  values: readonly unknown[] = [],
): Promise<void> {
  const postgres = await openEmbeddedPostgres({ home: bron.home });
  const { pool, close } = await openDatabase({ url: postgres.url, poolSize: 1 });
  try {
    await pool.query(sql, [...values]);
  } finally {
    await close();
    await postgres.close();
  }
}

/**
 * Inserts events into the log of a finished run. They go before the last entry, because a page
 * stops reading there.
 */
export async function addToLog(
  bron: Pick<StartedBron, "home">,
  runId: string,
  events: readonly unknown[],
): Promise<void> {
  await inStore(
    bron,
    `with longer as (update run_log set events = ($2::jsonb || events::jsonb)::json, seq = seq + $3 where run_id = $1 and seq = (select max(seq) from run_log where run_id = $1))
     update runs set last_seq = last_seq + $3 where id = $1`,
    [runId, JSON.stringify(events), events.length],
  );
}
