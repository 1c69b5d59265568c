import { sql, type Kysely } from "kysely";

/** Whether a model key was tested. Those that are stored are in use, and stay so. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table model_keys add column state text not null default 'tested'`.execute(db);
}
