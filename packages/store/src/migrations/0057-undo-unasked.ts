import { sql, type Kysely } from "kysely";

/** Until when an effect that needs no approval can be undone. It starts no earlier. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table effects add column undo_until timestamptz`.execute(db);
}
