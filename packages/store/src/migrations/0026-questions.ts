import { sql, type Kysely } from "kysely";

/** Questions that runs ask their owners. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table questions (
     id uuid primary key,
     run_id uuid not null references runs (id) on delete cascade,
     owner_id text not null,
     action_id uuid not null,
     state text not null,
     text text not null,
     choices jsonb not null,
     "default" text,
     answer text,
     created_at timestamptz not null default clock_timestamp(),
     expires_at timestamptz not null,
     answered_at timestamptz
   )`,
  `create index questions_run on questions (run_id)`,
  `create index questions_pending on questions (owner_id, created_at, id) where state = 'pending'`,
  `create index questions_owner on questions (owner_id, created_at, id)`,
  `create index questions_due on questions (expires_at) where state = 'pending'`,
];
