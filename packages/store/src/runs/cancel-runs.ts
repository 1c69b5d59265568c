import { auditEntries, canceledAllEntry, cancelEvent, type Cancellation } from "@bron/core";
import { sql, type RawBuilder } from "kysely";
import { writeAudit } from "../tables/audit.ts";
import { toJson } from "../database/database.ts";
import { selectTree } from "./run-tree.ts";
import type { WakingTransaction } from "./wake.ts";

/**
 * Cancels a run and all its child runs. Returns false if the run itself had already ended or been
 * canceled. The tree is searched until nothing new is found, because a child run may be created
 * meanwhile. The next search finds it, and no further one can be created.
 */
export async function cancelTree(
  transaction: WakingTransaction,
  runId: string,
  cancellation: Cancellation,
): Promise<boolean> {
  const tree = selectTree(cancellation.ownerId, runId);
  return (await cancelRepeatedly(transaction, tree, cancellation)).includes(runId.toLowerCase());
}

/** Cancels every active run of an owner. Runs that are created later are not affected. */
export async function cancelAll(
  transaction: WakingTransaction,
  cancellation: Cancellation,
): Promise<string[]> {
  const canceled = await cancelRepeatedly(
    transaction,
    sql`select id from runs where owner_id = ${cancellation.ownerId}`,
    cancellation,
  );
  const entry = canceledAllEntry(cancellation, canceled.length);
  await writeAudit(transaction.db, cancellation.ownerId, [entry]);
  return canceled;
}

async function cancelRepeatedly(
  transaction: WakingTransaction,
  runIds: RawBuilder<unknown>,
  cancellation: Cancellation,
): Promise<string[]> {
  // Serializes cancellations of an owner. Two that lock runs in different orders would deadlock.
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || '.stop.' || ${cancellation.ownerId}, 0))`.execute(
    transaction.db,
  );
  const canceled: string[] = [];
  for (;;) {
    const found = await cancelMatching(transaction, runIds, cancellation);
    if (found.length === 0) return canceled;
    canceled.push(...found);
  }
}

/**
 * Appends to every log in one statement, so that no action that has not seen the cancellation can
 * commit its start. Rows are locked in the order of their IDs.
 */
async function cancelMatching(
  { db, wake }: WakingTransaction,
  runIds: RawBuilder<unknown>,
  cancellation: Cancellation,
): Promise<string[]> {
  const { ownerId } = cancellation;
  const events = [cancelEvent(cancellation)];
  const { rows } = await sql<{ id: string; wakes: number; held: boolean }>`
    with wanted as materialized (
      select id from runs
      where owner_id = ${ownerId} and finished_at is null and status not in ('completed', 'failed', 'canceled')
        and cancel_requested_at is null and id in (${runIds})
      order by id for no key update
    ), stopped as (
      update runs r set cancel_requested_at = clock_timestamp(), last_seq = r.last_seq + 1, runnable = true, wakes = r.wakes + 1, swept_at = clock_timestamp()
      from wanted where r.id = wanted.id
      returning r.id, r.owner_id, r.last_seq, r.wakes, r.lease_owner is not null and r.lease_until >= clock_timestamp() as held
    ), log as (
      insert into run_log (run_id, seq, owner_id, events, created_at) select id, last_seq, owner_id, ${toJson(events)}::json, clock_timestamp() from stopped
    ), audited as (
      insert into audit (owner_id, what, by, run_id, details)
      select owner_id, entry ->> 'what', entry ->> 'by', id, entry -> 'details' from stopped
        cross join jsonb_array_elements(${toJson(auditEntries(events))}::jsonb) as entry
    )
    select id, wakes, held from stopped order by id`.execute(db);
  for (const { id, wakes, held } of rows)
    await wake({ runId: id, ownerId, wake: wakes, delayMs: 0, held });
  return rows.map(({ id }) => id);
}
