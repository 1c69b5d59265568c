import type { Audit, NewAudit } from "@bron/core";
import { listActivity } from "./activity.ts";
import { sql, type Kysely } from "kysely";
import { toJson } from "../database/database.ts";
import { toAuditView } from "./rows.ts";
import type { Database } from "../database/schema.ts";
import { isUuid } from "@bron/protocol";

export function postgresAudit(db: Kysely<Database>): Audit {
  return {
    write: (ownerId, entry) => writeAudit(db, ownerId, [entry]),

    async list(ownerId, { before, limit = 50, runId, what }) {
      let query = db.selectFrom("audit").selectAll().where("owner_id", "=", ownerId);
      if (before !== undefined) query = query.where("id", "<", before);
      if (runId !== undefined) {
        if (!isUuid(runId)) return [];
        query = query.where("run_id", "=", runId);
      }
      if (what !== undefined)
        query = query.where(sql<boolean>`${what} in (what, split_part(what, '.', 1))`);
      const rows = await query.orderBy("id", "desc").limit(limit).execute();
      return rows.map(toAuditView);
    },

    activity: (ownerId, options) => listActivity(db, ownerId, options),
  };
}

/**
 * Pass the `db` of a transaction, so that the entries commit together with the changes they record.
 */
export async function writeAudit(
  db: Kysely<Database>,
  ownerId: string,
  entries: readonly NewAudit[],
): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map(
    ({ what, by, runId, actionId, effectId, approvalId, tool, digest, details }) => ({
      owner_id: ownerId,
      what,
      by,
      tool: tool ?? null,
      digest: digest ?? null,
      details: toJson(details ?? {}),
      run_id: runId ?? null,
      action_id: actionId ?? null,
      effect_id: effectId ?? null,
      approval_id: approvalId ?? null,
    }),
  );
  await db.insertInto("audit").values(rows).execute();
}
