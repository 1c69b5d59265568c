import { sql, type Kysely } from "kysely";

/** What MCP servers offer, and what their owners accepted of it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table mcp_servers (
    owner_id text not null references owners (id),
    server text not null,
    source text not null,
    offered jsonb not null,
    offered_digest text not null,
    accepted jsonb not null default '[]',
    notes jsonb not null default '[]',
    offered_at timestamptz not null default clock_timestamp(),
    accepted_at timestamptz,
    primary key (owner_id, server)
  )`.execute(db);
}
