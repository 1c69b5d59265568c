import { sql, type Kysely } from "kysely";

/** When a Bron was archived. Null: it takes new tasks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table brons add column archived_at timestamptz`.execute(db);
}
