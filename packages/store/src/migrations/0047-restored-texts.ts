import { sql, type Kysely } from "kysely";

/** When the owner restored the text that an effect had replaced. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table effects add column restoring_until timestamptz, add column restored_at timestamptz`.execute(
    db,
  );
}
