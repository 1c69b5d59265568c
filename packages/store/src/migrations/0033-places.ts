import { sql, type Kysely } from "kysely";

/** Where runs must be advanced, and which workers serve these places. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table runs add column place jsonb`,
  `create index runs_by_place on runs (owner_id) where place is not null and finished_at is null`,
  `create table workers (
     name text primary key,
     places jsonb[] not null,
     seen_at timestamptz not null default clock_timestamp()
   )`,
];
