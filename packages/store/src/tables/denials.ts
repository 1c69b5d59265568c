import type { Denial, Denials } from "@bron/core";
import type { JsonValue } from "@bron/protocol";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

interface DenialRow {
  readonly tool: string;
  readonly prepared: JsonValue;
  readonly reply: string | null;
  readonly decision_reason: string | null;
  readonly undo_until: Date | null;
  readonly decided_at: Date;
}

export function postgresDenials(pool: pg.Pool): Denials {
  return wrapDatabaseErrors<Denials>({
    async list({ ownerId, rootRunId }) {
      const { rows } = await pool.query<DenialRow>({
        name: "bron-denials-2",
        // Only an effect that needed no approval has a time for undo of its own.
        text: `with recursive task as (
            select id, retry_of from runs where id = $1 and owner_id = $2
            union select r.id, r.retry_of from task t, lateral (
              select id, retry_of from runs where parent_run_id = t.id and owner_id = $2
              union all select id, retry_of from runs where id = t.retry_of and owner_id = $2
            ) r
          )
          select a.tool, e.prepared, a.reply, a.decision_reason, a.undo_until, a.decided_at
          from task join approvals a on a.run_id = task.id join effects e on e.id = a.effect_id
          where a.state = 'denied' and a.owner_id = $2
          union all
          select e.tool, e.prepared, null, null, e.undo_until, e.updated_at
          from task join effects e on e.run_id = task.id
          where e.state = 'rejected' and e.undo_until is not null and e.owner_id = $2`,
        values: [rootRunId, ownerId],
      });
      return rows.map(toDenial);
    },
  });
}

/** Only an approval that was given before it was denied has a time for undo. */
function toDenial({ tool, prepared, decided_at, ...row }: DenialRow): Denial {
  const cause = row.reply !== null ? "replied" : row.undo_until !== null ? "undone" : "denied";
  const words = row.reply ?? row.decision_reason ?? "";
  return { tool, prepared, cause, words, decidedAt: decided_at.getTime() };
}
