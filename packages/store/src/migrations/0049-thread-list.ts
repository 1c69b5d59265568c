import { sql, type Kysely } from "kysely";

/** Threads can be archived and pinned, and are listed by Bron and by outcome. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table threads add column archived_at timestamptz, add column pinned_at timestamptz`,
  // Lists show pinned threads first.
  `drop index threads_by_activity`,
  `create index threads_by_activity on threads (owner_id, (pinned_at is not null), updated_at, id) where updated_at is not null`,
  // Few runs end with anything but success, so a list of those starts from them.
  `create index runs_not_done on runs (owner_id, outcome, thread_id) where outcome <> 'done'`,
];
