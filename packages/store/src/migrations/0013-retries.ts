import { sql, type Kysely } from "kysely";

/** Adds runs that retry another run. The log of that run contains what they may reuse. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(`alter table runs add column retry_of uuid references runs`).execute(db);
}
