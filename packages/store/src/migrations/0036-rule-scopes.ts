import { sql, type Kysely } from "kysely";

/** Hosts and MCP servers in rules and grants. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table rules add column host text, add column server text`.execute(db);
  await sql`alter table grants add column host text, add column server text, alter column recipient drop not null`.execute(
    db,
  );
  await sql`drop index rules_once`.execute(db);
  await sql`create unique index rules_once on rules (owner_id, coalesce(bron_id, '00000000-0000-0000-0000-000000000000'), tool, coalesce(host, ''), coalesce(server, ''))`.execute(
    db,
  );
}
