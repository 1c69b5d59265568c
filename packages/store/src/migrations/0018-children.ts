import { sql, type Kysely } from "kysely";

/** Whether a run has told the one that it is a part of how it ended; the index holds only those that have not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table runs add column parent_told boolean not null default false`,
  `create index runs_untold on runs (parent_run_id) where parent_run_id is not null and not parent_told`,
];
