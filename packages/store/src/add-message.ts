import { ownerMessageEvent, type OwnerMessage } from "@bron/core";
import type { WakingTransaction } from "./wake.ts";

/**
 * Appends what the owner says to a run under way. The key of a message makes a repeated request
 * wait for the first one, and then do nothing.
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
  if (numInsertedOrUpdatedRows === 0n) return true;
  const isAppended = await appendAndWake(ownerId, runId, [ownerMessageEvent(ownerId, message)]);
  if (!isAppended) await db.deleteFrom("used_keys").where("key", "=", key).execute();
  return isAppended;
}
