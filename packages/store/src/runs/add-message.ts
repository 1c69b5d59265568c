import {
  checkSameMessage,
  ownerMessageEvent,
  type OwnerMessage,
  type SaidBefore,
} from "@bron/core";
import { sql, type Kysely } from "kysely";
import type { Database } from "../database/schema.ts";
import type { WakingTransaction } from "./wake.ts";

/**
 * Appends what the owner says to a run under way. The key of a message makes a repeated request
 * wait for the first one, and then do nothing. Throws conflict for a used key and other words.
 */
export async function addMessage(
  { db, appendAndWake }: WakingTransaction,
  {
    ownerId,
    runId,
    message,
  }: { readonly ownerId: string; readonly runId: string; readonly message: OwnerMessage },
): Promise<boolean> {
  const key = `message:${runId.toLowerCase()}:${message.messageId}`;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("used_keys")
    .values({ key })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (numInsertedOrUpdatedRows === 0n) {
    checkSameMessage(await findMessage(db, runId, message.messageId), message);
    return true;
  }
  const isAppended = await appendAndWake(ownerId, runId, [ownerMessageEvent(ownerId, message)]);
  if (!isAppended) await db.deleteFrom("used_keys").where("key", "=", key).execute();
  else await markActivity(db, runId);
  return isAppended;
}

async function findMessage(
  db: Kysely<Database>,
  runId: string,
  messageId: string,
): Promise<SaidBefore> {
  const { rows } = await sql<{ payload: SaidBefore }>`
    select event -> 'payload' as payload from run_log, json_array_elements(events) as event
    where run_id = ${runId} and event ->> 'type' = 'owner_message' and event -> 'payload' ->> 'messageId' = ${messageId}
    limit 1`.execute(db);
  return rows[0]?.payload ?? { content: "" };
}

/** Not for a child run, whose thread is not a conversation. */
async function markActivity(db: Kysely<Database>, runId: string): Promise<void> {
  await sql`
    update threads set updated_at = date_trunc('milliseconds', clock_timestamp()), archived_at = null
    where id = (select thread_id from runs where id = ${runId}) and updated_at is not null`.execute(
    db,
  );
}
