import { sql, type RawBuilder } from "kysely";
import { toJson } from "./database.ts";
import type { WakingTransaction } from "./wake.ts";

/** A stop as it stands in the logs and in the audit. */
export interface Stop {
  readonly ownerId: string;
  readonly reason: string | undefined;
}

/**
 * Stops a run and all below it; false if the run itself was over or stopped before. The tree is walked again until a walk finds
 * nothing new: a child that was being made meanwhile is found by the next walk, and no further one can be made.
 */
export async function cancelTree(
  transaction: WakingTransaction,
  runId: string,
  stop: Stop,
): Promise<boolean> {
  const tree = sql`
    with recursive tree as (
      select id from runs where id = ${runId} and owner_id = ${stop.ownerId}
      union all select r.id from runs r join tree t on r.parent_run_id = t.id where r.owner_id = ${stop.ownerId}
    ) select id from tree`;
  return (await cancelUntilNone(transaction, tree, stop)).includes(runId.toLowerCase());
}

/** Stops everything that an owner has under way or waiting; a run that is made after this is a new one. */
export async function cancelAll(transaction: WakingTransaction, stop: Stop): Promise<string[]> {
  const stopped = await cancelUntilNone(
    transaction,
    sql`select id from runs where owner_id = ${stop.ownerId}`,
    stop,
  );
  await sql`insert into audit (owner_id, what, by, details) values (${stop.ownerId}, 'owner.stopped', 'owner', ${toJson({ runs: stopped.length, ...reasonOf(stop) })}::jsonb)`.execute(
    transaction.db,
  );
  return stopped;
}

async function cancelUntilNone(
  transaction: WakingTransaction,
  which: RawBuilder<unknown>,
  stop: Stop,
): Promise<string[]> {
  // One stop of an owner at a time: two that meet in different orders would wait for each other.
  await sql`select pg_advisory_xact_lock(hashtextextended(current_schema() || '.stop.' || ${stop.ownerId}, 0))`.execute(
    transaction.db,
  );
  const stopped: string[] = [];
  for (;;) {
    const marked = await markAll(transaction, which, stop);
    if (marked.length === 0) return stopped;
    stopped.push(...marked);
  }
}

/** The fence, in one statement for all: each log moves, so that no mark made without seeing it commits. Rows are locked in the order of their ids. */
async function markAll(
  { db, wake }: WakingTransaction,
  which: RawBuilder<unknown>,
  stop: Stop,
): Promise<string[]> {
  const { ownerId } = stop;
  const events = toJson([{ type: "cancel", payload: { by: ownerId, ...reasonOf(stop) } }]);
  const { rows } = await sql<{ id: string; wakes: number; held: boolean }>`
    with wanted as materialized (
      select id from runs
      where owner_id = ${ownerId} and finished_at is null and status not in ('completed', 'failed', 'canceled') and cancel_requested_at is null and id in (${which})
      order by id for update
    ), stopped as (
      update runs r set cancel_requested_at = clock_timestamp(), last_seq = r.last_seq + 1, runnable = true, wakes = r.wakes + 1, swept_at = clock_timestamp()
      from wanted where r.id = wanted.id
      returning r.id, r.owner_id, r.last_seq, r.wakes, r.lease_owner is not null and r.lease_until >= clock_timestamp() as held
    ), log as (
      insert into run_log (run_id, seq, owner_id, events, created_at) select id, last_seq, owner_id, ${events}::json, clock_timestamp() from stopped
    ), told as (
      insert into audit (owner_id, what, by, run_id, details) select owner_id, 'run.stopped', 'owner', id, ${toJson(reasonOf(stop))}::jsonb from stopped
    )
    select id, wakes, held from stopped order by id`.execute(db);
  for (const { id, wakes, held } of rows)
    await wake({ runId: id, ownerId, wake: wakes, delayMs: 0, held });
  return rows.map(({ id }) => id);
}

function reasonOf({ reason }: Stop): { reason?: string } {
  return reason === undefined ? {} : { reason };
}
