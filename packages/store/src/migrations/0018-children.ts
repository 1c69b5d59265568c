import { sql, type Kysely } from "kysely";

/**
 * Adds the state of a child run that its parent last recorded: running, waiting or over. The index
 * contains only child runs whose parent has not recorded their end.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table runs add column parent_told text not null default 'running' check (parent_told in ('running', 'waiting', 'over'))`,
  `create index runs_untold on runs (parent_run_id) where parent_run_id is not null and parent_told <> 'over'`,
];
