import { sql, type Kysely } from "kysely";

/** The kind of each approval, and the owner's settings for kinds of effects. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table approvals add column kind text`.execute(db);
  await sql`
    create table effect_settings (
      owner_id text not null references owners (id),
      kind text not null,
      undo_seconds integer check (undo_seconds between 0 and 60),
      approvals_per_minute integer check (approvals_per_minute between 1 and 1000),
      primary key (owner_id, kind))`.execute(db);
}
