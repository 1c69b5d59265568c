import { actionDetails } from "@bron/core";
import { isUuid, type ActionView, type EffectView } from "@bron/protocol";
import type { OpenDatabase } from "../database/database.ts";
import { readLog } from "../log/log-rows.ts";
import { toActionView, toEffectView } from "../tables/rows.ts";

export async function listActions(
  { pool, db }: Pick<OpenDatabase, "pool" | "db">,
  ownerId: string,
  runId: string,
): Promise<ActionView[]> {
  if (!isUuid(runId)) return [];
  const [rows, log] = await Promise.all([
    db
      .selectFrom("actions")
      .selectAll()
      .where("run_id", "=", runId)
      .where("owner_id", "=", ownerId)
      .orderBy("step")
      .orderBy("created_at")
      .orderBy("id")
      .execute(),
    readLog(pool, { ownerId, runId, afterSeq: 0 }),
  ]);
  const details = actionDetails(log);
  // Actions of one step have the same creation time, so the log determines their order.
  const order = new Map([...details.keys()].map((id, position) => [id, position]));
  const positionOf = ({ id }: { readonly id: string }) => order.get(id) ?? order.size;
  return rows
    .toSorted((a, b) => positionOf(a) - positionOf(b))
    .map((row) => toActionView(row, details.get(row.id)));
}

export async function listEffects(
  db: OpenDatabase["db"],
  ownerId: string,
  runId: string,
): Promise<EffectView[]> {
  if (!isUuid(runId)) return [];
  const rows = await db
    .selectFrom("effects")
    .selectAll()
    .where("run_id", "=", runId)
    .where("owner_id", "=", ownerId)
    .orderBy("created_at")
    .execute();
  return rows.map(toEffectView);
}
