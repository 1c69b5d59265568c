import { sql, type Kysely } from "kysely";

/** The most that one task of a Bron may cost. Null: no limit of its own. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table brons add column max_cost_microusd bigint`.execute(db);
}
