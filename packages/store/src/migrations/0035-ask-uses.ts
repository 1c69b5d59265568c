import { sql, type Kysely } from "kysely";

/** Which of the owner's asks the effects of a task have used. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table ask_uses (
      root_run_id uuid not null references runs (id) on delete cascade,
      key text not null,
      owner_id text not null,
      run_id uuid not null,
      action_id uuid not null,
      primary key (root_run_id, key)
    )`.execute(db);
}
