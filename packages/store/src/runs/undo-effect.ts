import { auditEntries, undoneEvent } from "@bron/core";
import type { EffectView } from "@bron/protocol";
import { sql, type Selectable } from "kysely";
import { toJson } from "../database/database.ts";
import type { Database } from "../database/schema.ts";
import { toEffectView } from "../tables/rows.ts";
import type { WakeWriter } from "./wake.ts";

/**
 * Keeps an effect that needed no approval from starting. Undefined: it is too late. Locks the run's
 * row before it reads the effect, so that the holder of the run either sees the undo or has recorded
 * its attempt. The rule is that of `canUndo` in core.
 */
export async function undoEffect(
  writer: WakeWriter,
  ownerId: string,
  { id, runId, actionId, tool, digest }: EffectView,
): Promise<EffectView | undefined> {
  const event = undoneEvent(ownerId, { id, actionId, tool, digest });
  return await writer.transaction(async (transaction) => {
    const { db } = transaction;
    await sql`select from runs where id = ${runId} and owner_id = ${ownerId} for update`.execute(
      db,
    );
    const { rows } = await sql<Selectable<Database["effects"]>>`
      update effects e set state = 'rejected', updated_at = clock_timestamp()
      from runs r where r.id = e.run_id and r.status not in ('completed', 'failed', 'canceled')
        and e.id = ${id} and e.owner_id = ${ownerId} and e.state = 'approved' and e.undo_until > clock_timestamp()
      returning e.*`.execute(db);
    if (!rows[0]) return undefined;
    await sql`
      insert into audit (owner_id, what, by, run_id, action_id, effect_id, tool, digest, details)
      select ${ownerId}, a.what, a.by, ${runId}, a."actionId", a."effectId", a.tool, a.digest, a.details
      from jsonb_to_recordset(${toJson(auditEntries([event]))}::jsonb)
        as a (what text, by text, "actionId" uuid, "effectId" uuid, tool text, digest text, details jsonb)`.execute(
      db,
    );
    await transaction.appendAndWake(ownerId, runId, [event]);
    return toEffectView(rows[0]);
  });
}
