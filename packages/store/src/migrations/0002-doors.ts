import { sql, type Kysely } from "kysely";

/** Adds keys that work once, and the partial text of streaming messages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `create table used_keys (key text primary key, used_at timestamptz not null default now())`,
  // Partial text needs no crash-safe write, because the model is called again after a crash.
  `create unlogged table answers_in_progress (
     run_id uuid primary key,
     owner_id text not null,
     step int not null,
     attempt int not null,
     text text not null
   )`,
];
