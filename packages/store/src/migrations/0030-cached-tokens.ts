import { sql, type Kysely } from "kysely";

/** Runs count the input that came from a provider's cache. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column cached_input_tokens bigint not null default 0`.execute(db);
}
