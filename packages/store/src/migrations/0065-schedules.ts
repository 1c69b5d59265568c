import { sql, type Kysely } from "kysely";

/** What starts runs by the clock or when a watch finds something, and which runs it started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table runs
     add column schedule_id uuid,
     add column due_at timestamptz,
     add column max_trust_level text,
     add column schedule_open boolean not null default false`,
  `create index runs_of_schedule on runs (schedule_id, created_at) where schedule_id is not null`,
  // Only runs whose end no sweep has counted yet.
  `create index runs_schedule_open on runs (schedule_id) where schedule_open`,
  `create table schedules (
    id uuid primary key,
    owner_id text not null references owners (id),
    bron_id uuid not null references brons (id),
    title text not null,
    prompt text not null,
    program text,
    is_proposed boolean not null,
    kind text not null,
    expression text not null,
    zone text not null,
    watch jsonb,
    cursor text,
    missed text not null,
    overlap text not null,
    end_at timestamptz,
    trust_level text,
    caps jsonb not null,
    state text not null,
    reason text,
    problem text,
    failures int not null default 0,
    next_at timestamptz,
    skipped_at timestamptz,
    skipped_reason text,
    created_at timestamptz not null default clock_timestamp()
  )`,
  `create index schedules_due on schedules (next_at) where state = 'active'`,
  `create index schedules_of_owner on schedules (owner_id, created_at)`,
];
