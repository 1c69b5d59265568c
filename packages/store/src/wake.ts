import type { Wake, Waker } from "@bron/core";
import type { NewEvent } from "@bron/protocol";
import { sql } from "kysely";
import { inTransaction, toJson, type Transaction } from "./database.ts";
import type pg from "pg";

export interface WakeWriter {
  /**
   * Runs work in a transaction in which runs can be woken; the waker hears of them inside it, and again once it is committed.
   */
  transaction<T>(work: (transaction: WakingTransaction) => Promise<T>): Promise<T>;
}

export interface WakingTransaction extends Transaction {
  /** Tells the waker of a run that this transaction made runnable. */
  wake(wake: Wake): Promise<void>;
  /**
   * Appends to a run's log without the lease, under the row's lock, and makes the run runnable.
   * False if the run is over or not this owner's.
   */
  appendAndWake(ownerId: string, runId: string, events: readonly NewEvent[]): Promise<boolean>;
}

export function createWakeWriter(pool: pg.Pool, waker: Waker): WakeWriter {
  return {
    async transaction(work) {
      const woken: Wake[] = [];
      const result = await inTransaction(pool, async (transaction) => {
        const wake = async (one: Wake) => {
          woken.push(one);
          await waker.enlist(one, transaction.client);
        };
        return await work({ ...transaction, wake, appendAndWake: (ownerId, runId, events) => appendAndWake({ ...transaction, wake }, ownerId, runId, events) });
      });
      for (const one of woken) waker.committed(one);
      return result;
    },
  };
}

async function appendAndWake(transaction: Transaction & { wake(wake: Wake): Promise<void> }, ownerId: string, runId: string, events: readonly NewEvent[]): Promise<boolean> {
  const { db } = transaction;
  const row = await db
    .updateTable("runs")
    .set((eb) => ({ last_seq: eb("last_seq", "+", events.length), runnable: true, wakes: eb("wakes", "+", 1), swept_at: sql<Date>`clock_timestamp()` }))
    .where("id", "=", runId)
    .where("owner_id", "=", ownerId)
    .where("status", "not in", ["completed", "failed", "canceled"])
    .returning(["last_seq", "wakes", sql<boolean>`lease_owner is not null and lease_until >= clock_timestamp()`.as("held")])
    .executeTakeFirst();
  if (!row) return false;
  const first = row.last_seq - events.length + 1;
  await db
    .insertInto("run_events")
    .values(events.map((event, index) => ({ run_id: runId, seq: first + index, owner_id: ownerId, type: event.type, payload: toJson(event.payload) })))
    .execute();
  await transaction.wake({ runId, ownerId, wake: row.wakes, delayMs: 0, held: row.held });
  return true;
}
