import { sql, type Kysely } from "kysely";
import { closeApproval } from "./0011-decisions.ts";

/** An approval that was taken back keeps the time until which it could be: that is how it is told from one that was denied. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw(closeApproval.replace("create function", "create or replace function").replace("undo_until = clock_timestamp() + undo,", "undo_until = case when said ? 'undone' then undo_until else clock_timestamp() + undo end,")).execute(db);
}
