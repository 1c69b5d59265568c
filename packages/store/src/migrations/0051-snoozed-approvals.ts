import { sql, type Kysely } from "kysely";

/** Until when a denial can be undone and how often one was, and until when an approval is hidden. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table approvals add column reopen_until timestamptz, add column reopened integer not null default 0,
    add column snoozed_until timestamptz`.execute(db);
}
