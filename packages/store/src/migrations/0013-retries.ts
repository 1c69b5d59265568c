import { sql, type Kysely } from "kysely";

/** Runs that try another one again; what they may reuse of it stands in its log. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table runs add column retry_of uuid references runs`).execute(db);
}
