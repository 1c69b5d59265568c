import { sql, type Kysely } from "kysely";

/** The model's thoughts, and how far tools are, for readers in other processes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table answers_in_progress
      add column thoughts jsonb,
      add column progress jsonb,
      add column revision bigint not null default 0`.execute(db);
}
