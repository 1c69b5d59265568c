import { sql, type Kysely } from "kysely";

/** The first reading of each set of the owner's words counts in the whole task. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table readings (
      root_run_id uuid not null references runs (id) on delete cascade,
      texts int not null,
      owner_id text not null,
      output jsonb not null,
      primary key (root_run_id, texts)
    )`.execute(db);
}
