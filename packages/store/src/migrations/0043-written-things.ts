import { sql, type Kysely } from "kysely";

/**
 * Which runs wrote the drafts and notes of an owner. It does not refer to `runs`, because a
 * text stays what it is when the run that wrote it is deleted.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table written_things (
      owner_id text not null,
      kind text not null,
      thing_id text not null,
      run_id uuid not null,
      trusted boolean not null,
      primary key (owner_id, kind, thing_id, run_id)
    )`.execute(db);
}
