import { sql, type Kysely } from "kysely";

/** What the owner calls a trusted contact. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table allowed add column name text`.execute(db);
}
