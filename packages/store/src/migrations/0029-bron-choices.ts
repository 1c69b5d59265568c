import { sql, type Kysely } from "kysely";

/** The tools and the model of a Bron. Null: all tools, the default model. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table brons add column tools text[], add column model text`.execute(db);
}
