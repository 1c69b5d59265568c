import { sql, type Kysely } from "kysely";

/**
 * The reasons of an approval become a list of codes. The text of an old approval stays readable as
 * its only reason.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db);
}

const statements = [
  `alter table approvals add column reasons jsonb not null default '[]'`,
  `update approvals set reasons = jsonb_build_array(reason) where reason <> ''`,
  `alter table approvals drop column reason`,
  `alter table approvals rename column difference to diff`,
  `alter table approvals rename column answer to reply`,
];
