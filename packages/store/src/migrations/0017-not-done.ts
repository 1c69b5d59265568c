import { sql, type Kysely } from "kysely";

/**
 * Adds the number of requested changes that a run did not make. It is 0 for older runs, which did
 * not count them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("alter table runs add column not_done integer not null default 0").execute(db);
}
