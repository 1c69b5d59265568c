import { sql, type Kysely } from "kysely";

/** People whom an owner has written to by their own hand, as far as anybody looked. */
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
