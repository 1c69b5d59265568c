import { sql, type Kysely } from "kysely";

/** Stores the people to whom an owner has written personally, as far as Bron has looked them up. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`create table contacts (
     owner_id text not null references owners,
     source text not null,
     address text not null,
     names text[] not null,
     found_at timestamptz not null default clock_timestamp(),
     primary key (owner_id, source, address)
   )`)
    .execute(db);
}
