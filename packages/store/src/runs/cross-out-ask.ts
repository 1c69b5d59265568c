import { crossedOutEvent, type AskTask } from "@bron/core";
import { takeAsk } from "../tables/ask-uses.ts";
import type { WakingTransaction } from "./wake.ts";

/** Repeating it changes nothing. */
export async function crossOutAsk(
  transaction: WakingTransaction,
  task: AskTask,
  key: string,
): Promise<"crossed_out" | "used" | "ended"> {
  const { ownerId, rootRunId } = task;
  const taken = await takeAsk(transaction, task, key);
  if (taken === "already") return "crossed_out";
  if (taken === "used") return "used";
  const isAppended = await transaction.appendAndWake(ownerId, rootRunId, [
    crossedOutEvent(ownerId, key),
  ]);
  if (isAppended) return "crossed_out";
  await transaction.client.query(
    "delete from ask_uses where root_run_id = $1 and owner_id = $2 and key = $3",
    [rootRunId, ownerId, key],
  );
  return "ended";
}
