import { sql, type Kysely } from "kysely";

/**
 * How a finished run went. Runs that have finished get what their status and the number of changes
 * that they did not make say.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table runs add column outcome text`.execute(db);
  await sql`update runs set outcome = case when status <> 'completed' then 'could_not' when not_done > 0 then 'partly_done' else 'done' end
    where status in ('completed', 'failed', 'canceled')`.execute(db);
}
