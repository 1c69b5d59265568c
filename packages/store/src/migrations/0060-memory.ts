import { sql, type Kysely } from "kysely";

/** What Brons remember, and the runs that renew their summaries. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table memory_entries (
     id uuid primary key,
     owner_id text not null,
     bron_id uuid references brons (id) on delete cascade,
     text text not null,
     digest text not null,
     kind text not null,
     state text not null check (state in ('suggested', 'confirmed', 'forgotten')),
     author text not null check (author in ('owner', 'bron')),
     source jsonb,
     source_run uuid,
     label jsonb,
     words tsvector not null,
     created_at timestamptz not null default clock_timestamp(),
     updated_at timestamptz not null default clock_timestamp()
   )`,
  `create unique index memory_entries_same on memory_entries (owner_id, digest, bron_id) nulls not distinct`,
  `create index memory_entries_newest on memory_entries (owner_id, state, updated_at desc, id desc)`,
  `create index memory_entries_of_run on memory_entries (source_run) where source_run is not null`,
  `create index memory_entries_by_word on memory_entries using gin (words) with (fastupdate = off)`,
  `alter table brons
     add column memory_on boolean not null default true,
     add column memory_version int not null default 0,
     add column memory_before text,
     add column memory_updated_at timestamptz`,
  // Runs from before this version are not looked at.
  `alter table runs
     add column kind text not null default 'task' check (kind in ('task', 'upkeep')),
     add column upkeep_due boolean not null default false,
     add column upkeep_run_id uuid`,
  `create index runs_upkeep_due on runs (finished_at) where upkeep_due and finished_at is not null`,
  `create index runs_upkeep_active on runs (bron_id) where kind = 'upkeep' and finished_at is null`,
  `create index runs_upkeep_of on runs (upkeep_run_id) where upkeep_run_id is not null`,
  `alter table threads
     add column older_summary text,
     add column older_up_to bigint,
     add column older_trusted boolean`,
];
