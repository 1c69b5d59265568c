import { sql, type Kysely } from "kysely";

/** What doors need: keys that work once, and the answer in progress. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table used_keys (key text primary key, used_at timestamptz not null default now())`,
  // Not worth a crash-safe write: after a crash the model is asked again.
  `create unlogged table answers_in_progress (
     run_id uuid primary key,
     owner_id text not null,
     step int not null,
     attempt int not null,
     text text not null
   )`,
];
