import { sql, type Kysely } from "kysely";

/** Actions that other programs carry out. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table client_actions (
     id uuid primary key,
     run_id uuid not null references runs (id) on delete cascade,
     owner_id text not null,
     tool text not null,
     program text not null,
     input jsonb not null,
     state text not null,
     secret_hash text not null,
     taken_by text,
     created_at timestamptz not null default clock_timestamp(),
     expires_at timestamptz not null,
     taken_at timestamptz,
     ended_at timestamptz
   )`,
  `create index client_actions_run on client_actions (run_id)`,
  `create index client_actions_owner on client_actions (owner_id, created_at, id)`,
  `create index client_actions_due on client_actions (expires_at) where state in ('pending', 'taken')`,
];
