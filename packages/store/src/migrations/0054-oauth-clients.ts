import { sql, type Kysely } from "kysely";

/** The OAuth apps that the owner of the server entered on the page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table oauth_clients (
    provider text primary key,
    client_id text not null,
    sealed_secret text not null,
    updated_at timestamptz not null default clock_timestamp()
  )`.execute(db);
}
