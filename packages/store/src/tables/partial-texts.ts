import { cleanJson, currentText, type PartialTextStore } from "@bron/core";
import type { PartialText } from "@bron/protocol";
import { sql, type Kysely, type Selectable } from "kysely";
import { wrapDatabaseErrors } from "../database/database-errors.ts";
import type { PartialTextsTable, Database } from "../database/schema.ts";

/** Partial texts for readers in other processes. They belong to the owner of the run. */
export function postgresPartialTexts(db: Kysely<Database>): PartialTextStore {
  return wrapDatabaseErrors<PartialTextStore>({
    async put(partialTexts) {
      const rows = [...partialTexts].map(([runId, partialText]) => ({ runId, ...partialText }));
      await sql`
        insert into partial_texts (run_id, owner_id, step, attempt, text, thoughts, progress, revision)
        select r.id, r.owner_id, a.step, a.attempt, a.text, a.thoughts, a.progress, coalesce(a.revision, 0)
        from jsonb_to_recordset(${JSON.stringify(cleanJson(rows))}::jsonb)
          as a ("runId" uuid, step int, attempt int, text text, thoughts jsonb, progress jsonb, revision bigint)
        join runs r on r.id = a."runId"
        on conflict (run_id) do update set step = excluded.step, attempt = excluded.attempt, text = excluded.text,
          thoughts = excluded.thoughts, progress = excluded.progress, revision = excluded.revision`.execute(
        db,
      );
    },
    async remove(runIds) {
      await db.deleteFrom("partial_texts").where("run_id", "in", runIds).execute();
    },
    async get(ownerId, runId) {
      const row = await db
        .selectFrom("partial_texts as a")
        .innerJoin("runs", "runs.id", "a.run_id")
        .select([
          "a.step",
          "a.attempt",
          "a.text",
          "a.thoughts",
          "a.progress",
          "a.revision",
          "runs.status",
        ])
        .where("a.run_id", "=", runId)
        .where("a.owner_id", "=", ownerId)
        .executeTakeFirst();
      return row && currentText(toPartialText(row), row.status);
    },
  });
}

function toPartialText({
  step,
  attempt,
  text,
  thoughts,
  progress,
  revision,
}: Pick<
  Selectable<PartialTextsTable>,
  "step" | "attempt" | "text" | "thoughts" | "progress" | "revision"
>): PartialText {
  return {
    step,
    attempt,
    text,
    ...(thoughts ? { thoughts } : {}),
    ...(progress ? { progress } : {}),
    ...(Number(revision) > 0 ? { revision: Number(revision) } : {}),
  };
}
