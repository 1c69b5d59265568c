import { sql, type Kysely } from "kysely";

/** Whether a grant also counts once private text was read. Those for recipients did so far. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table grants add column includes_private boolean not null default false`.execute(
    db,
  );
  await sql`update grants set includes_private = true where recipient is not null`.execute(db);
}
