import { sql, type Kysely } from "kysely";

/**
 * Replaces stored names by the words of the glossary. Rows, indexes and rights stay. A worker of an
 * earlier version does not find the new names, so all workers must have ended.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    "alter table answers_in_progress rename to partial_texts",
    "alter index answers_in_progress_pkey rename to partial_texts_pkey",
    "alter table runs rename column parent_told to reported_status",
    "alter table runs rename constraint runs_parent_told_check to runs_reported_status_check",
    "alter index runs_untold rename to runs_unreported",
  ])
    await sql.raw(statement).execute(db);
}
