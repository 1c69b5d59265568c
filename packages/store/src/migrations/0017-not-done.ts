import { sql, type Kysely } from "kysely";

/** How many changes a run was to make and did not: of runs from before, nobody counted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table runs add column not_done integer not null default 0").execute(db);
}
