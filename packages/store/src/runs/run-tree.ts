import { sql, type RawBuilder } from "kysely";

/** Selects the ids of a run of the owner and of all runs below it. */
export function selectTree(ownerId: string, runId: string): RawBuilder<unknown> {
  return sql`
    with recursive tree as (
      select id from runs where id = ${runId}::uuid and owner_id = ${ownerId}
      union all select r.id from runs r join tree t on r.parent_run_id = t.id where r.owner_id = ${ownerId}
    ) select id from tree`;
}
