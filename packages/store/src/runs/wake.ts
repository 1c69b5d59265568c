import type { Wake, Waker } from "@bron/core";
import type { NewEvent } from "@bron/protocol";
import { sql } from "kysely";
import { inTransaction, toJson, type Transaction } from "../database/database.ts";
import type pg from "pg";

export interface WakeWriter {
  /**
   * Runs work in a transaction that can wake runs. The waker is called within it and again after
   * the commit.
   */
  transaction<T>(work: (transaction: WakingTransaction) => Promise<T>): Promise<T>;
  /**
   * Like `transaction`, for a single statement that wakes without delay. If this process takes the
   * run itself, no transaction is needed.
   */
  statement<T>(
    work: (
      client: Pick<pg.PoolClient, "query">,
    ) => Promise<{ readonly result: T; readonly wake?: Wake }>,
  ): Promise<T>;
}

export interface WakingTransaction extends Transaction {
  /** Notifies the waker about a run that this transaction made runnable. */
  wake(wake: Wake): Promise<void>;
  /**
   * Appends to a run's log without the lease, under the row lock, and makes the run runnable.
   * Returns false if the run has ended or belongs to another owner.
   */
  appendAndWake(ownerId: string, runId: string, events: readonly NewEvent[]): Promise<boolean>;
}

export function createWakeWriter(pool: pg.Pool, waker: Waker): WakeWriter {
  const transaction = async <T>(
    work: (transaction: WakingTransaction) => Promise<T>,
  ): Promise<T> => {
    const woken: { readonly wake: Wake; readonly here: boolean }[] = [];
    const result = await inTransaction(pool, async (inner) => {
      const wake = async (wakeUp: Wake) => {
        const here = !wakeUp.held && wakeUp.delayMs === 0 && waker.takesHere();
        woken.push({ wake: wakeUp, here });
        // A worker that holds the lease is only notified.
        if (!here && !wakeUp.held) await waker.enlist(wakeUp, inner.client);
      };
      return await work({
        ...inner,
        wake,
        appendAndWake: (ownerId, runId, events) =>
          appendAndWake({ ...inner, wake }, ownerId, runId, events),
      });
    });
    for (const { wake, here } of woken) waker.committed(wake, here);
    return result;
  };
  return {
    transaction,
    async statement(work) {
      if (waker.takesHere()) {
        const { result, wake } = await work(pool);
        if (wake) waker.committed(wake, !wake.held);
        return result;
      }
      return await transaction(async ({ client, wake: tell }) => {
        const { result, wake } = await work(client);
        if (wake) await tell(wake);
        return result;
      });
    },
  };
}

async function appendAndWake(
  transaction: Transaction & { wake(wake: Wake): Promise<void> },
  ownerId: string,
  runId: string,
  events: readonly NewEvent[],
): Promise<boolean> {
  const { rows } = await sql<{ wakes: number; held: boolean }>`
    with run as (
      update runs set last_seq = last_seq + ${events.length}, runnable = true, wakes = wakes + 1, swept_at = clock_timestamp()
      where id = ${runId} and owner_id = ${ownerId} and status not in ('completed', 'failed', 'canceled')
      returning id, owner_id, last_seq, wakes, lease_owner is not null and lease_until >= clock_timestamp() as held
    ), log as (
      insert into run_log (run_id, seq, owner_id, events, created_at) select id, last_seq, owner_id, ${toJson(events)}::json, clock_timestamp() from run
    )
    select wakes, held from run`.execute(transaction.db);
  const row = rows[0];
  if (!row) return false;
  await transaction.wake({ runId, ownerId, wake: row.wakes, delayMs: 0, held: row.held });
  return true;
}
