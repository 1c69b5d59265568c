import { sql, type Kysely } from "kysely";

/** Threads get a title and the time of the owner's last message, and can be deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  // Null for the thread of a child run, which is not a conversation. In milliseconds, so that a cursor
  // has the exact time.
  `alter table threads add column updated_at timestamptz`,
  `create index runs_by_thread on runs (thread_id, created_at, id)`,
  `update threads t set
     updated_at = (select max(date_trunc('milliseconds', r.created_at)) from runs r where r.thread_id = t.id and r.parent_run_id is null),
     title = coalesce((select r.title from runs r where r.thread_id = t.id and r.parent_run_id is null order by r.created_at, r.id limit 1), '')
   where title = ''`,
  `create index threads_by_activity on threads (owner_id, updated_at, id) where updated_at is not null`,
  // Postgres looks for references to every deleted row. Messages are written by statements that
  // hold the lock of the run's row, like the projections, and need no foreign key.
  `alter table bron_messages drop constraint bron_messages_run_id_fkey`,
  `create index runs_by_retried on runs (retry_of) where retry_of is not null`,
  `create index uploads_by_run on uploads (run_id) where run_id is not null`,
  `create index artifacts_by_content on artifacts (owner_id, digest)`,
  // Content of deleted threads. It is removed once no artifact can be about to use it.
  `create table removable_blobs (
     owner_id text not null references owners,
     digest text not null,
     primary key (owner_id, digest)
   )`,
];
