import type { AskUses } from "@bron/core";
import type pg from "pg";
import { wrapDatabaseErrors } from "./database-errors.ts";

/** Whether the action that holds an ask has ended without its effect, which gives the ask back. */
const isGivenBack = `exists (
  select from actions a
  where a.run_id = u.run_id and a.id = u.action_id and a.state in ('failed', 'rejected', 'canceled')
)`;

export function postgresAskUses(pool: pg.Pool): AskUses {
  return wrapDatabaseErrors<AskUses>({
    async list({ ownerId, rootRunId }) {
      const { rows } = await pool.query<{ key: string; action_id: string }>({
        name: "bron-ask-uses-1",
        text: `select key, action_id from ask_uses u where root_run_id = $1 and owner_id = $2 and not ${isGivenBack}`,
        values: [rootRunId, ownerId],
      });
      return new Map(rows.map(({ key, action_id }) => [key, action_id]));
    },
    async use({ ownerId, rootRunId }, { key, runId, actionId }) {
      const { rowCount } = await pool.query({
        name: "bron-use-ask-1",
        text: `insert into ask_uses as u (owner_id, root_run_id, key, run_id, action_id) values ($1, $2, $3, $4, $5)
          on conflict (root_run_id, key) do update set run_id = excluded.run_id, action_id = excluded.action_id
          where u.action_id = excluded.action_id or ${isGivenBack}`,
        values: [ownerId, rootRunId, key, runId, actionId],
      });
      return rowCount === 1;
    },
  });
}
