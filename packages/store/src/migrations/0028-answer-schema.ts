import { sql, type Kysely } from "kysely";

/** What a typed answer to a question must be. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table questions add column schema jsonb`.execute(db);
}
