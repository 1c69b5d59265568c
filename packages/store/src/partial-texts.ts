import type { Kysely } from "kysely";
import { sql } from "kysely";
import { cleanText, type PartialTextStore } from "@bron/core";
import { wrapDatabaseErrors } from "./database-errors.ts";
import type { Database } from "./schema.ts";

/** Partial texts for readers in other processes. They belong to the owner of the run. */
export function postgresPartialTexts(db: Kysely<Database>): PartialTextStore {
  return wrapDatabaseErrors<PartialTextStore>({
    async put(answers) {
      const rows = [...answers].map(([runId, { step, attempt, text }]) => ({
        runId,
        step,
        attempt,
        text: cleanText(text),
      }));
      await sql`
        insert into answers_in_progress (run_id, owner_id, step, attempt, text)
        select r.id, r.owner_id, a.step, a.attempt, a.text
        from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as a ("runId" uuid, step int, attempt int, text text) join runs r on r.id = a."runId"
        on conflict (run_id) do update set step = excluded.step, attempt = excluded.attempt, text = excluded.text`.execute(
        db,
      );
    },
    async remove(runIds) {
      await db.deleteFrom("answers_in_progress").where("run_id", "in", runIds).execute();
    },
    async get(ownerId, runId) {
      // A row that a crashed worker left is stale once the run has continued or ended.
      return await db
        .selectFrom("answers_in_progress as a")
        .innerJoin("runs", "runs.id", "a.run_id")
        .select(["a.step", "a.attempt", "a.text"])
        .where("a.run_id", "=", runId)
        .where("a.owner_id", "=", ownerId)
        .where("runs.status", "=", "planning")
        .executeTakeFirst();
    },
  });
}
