import type { OpenDatabase } from "../database/database.ts";
import type { WakeWriter } from "./wake.ts";

/** Wakes the runs that may wait for the account. Returns how many of them it woke. */
export async function announceConnected(
  db: OpenDatabase["db"],
  writer: WakeWriter,
  { ownerId, provider }: Readonly<Record<"ownerId" | "provider", string>>,
): Promise<number> {
  const rows = await db
    .selectFrom("runs")
    .select("id")
    .where("owner_id", "=", ownerId)
    .where("finished_at", "is", null)
    .where("status", "not in", ["queued", "completed", "failed", "canceled"])
    .execute();
  let notified = 0;
  for (const { id } of rows)
    if (
      await writer.transaction((transaction) =>
        transaction.appendAndWake(ownerId, id, [
          { type: "auth", payload: { state: "connected", provider } },
        ]),
      )
    )
      notified++;
  return notified;
}
