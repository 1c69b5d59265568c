import { sql, type Kysely } from "kysely";

/** What the run that this one is a part of was last told of it: running, waiting or over. The index holds only parts that are not told to be over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table runs add column parent_told text not null default 'running' check (parent_told in ('running', 'waiting', 'over'))`,
  `create index runs_untold on runs (parent_run_id) where parent_run_id is not null and parent_told <> 'over'`,
];
