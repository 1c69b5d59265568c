import { waitKinds, type WaitsFor } from "@bron/protocol";
import { sql } from "kysely";

/**
 * What a parked run, or one of its child runs, waits for, as an expression over a row of `runs`. It
 * is computed when a run is read, because few of the runs in a list are parked. The offset makes
 * Postgres look up child runs one by one instead of joining with all runs under way.
 */
export const waitsForOf = (run: string) => `
case when ${run}.finished_at is null and not ${run}.runnable then (
  with recursive tree as (
    select ${run}.id, ${run}.status
    union all select c.id, c.status from tree
      cross join lateral (select r.id, r.status from runs r where r.parent_run_id = tree.id and r.finished_at is null offset 0) c
  ), ids as materialized (select array_agg(tree.id) as all, bool_or(tree.status = 'awaiting_auth') as needs_auth from tree)
  select case
    when exists (select from approvals a where a.owner_id = ${run}.owner_id and a.run_id = any(ids.all)
      and a.state = 'pending') then '{"kind": "approval"}'::jsonb
    when exists (select from questions q where q.owner_id = ${run}.owner_id and q.run_id = any(ids.all)
      and q.state = 'pending') then '{"kind": "question"}'::jsonb
    when ids.needs_auth then '{"kind": "sign_in"}'::jsonb
    else (select jsonb_build_object('kind', 'program', 'program', p.program) from client_actions p
      where p.owner_id = ${run}.owner_id and p.run_id = any(ids.all) and p.state in ('pending', 'taken') order by p.created_at, p.id limit 1)
  end from ids
) end`;

/** For queries of the table `runs`. */
export const waitsForColumn = sql<WaitsFor | null>`${sql.raw(waitsForOf("runs"))}`.as("waits_for");

/** Sorts the most urgent of such values first. */
export const byUrgency = (value: string) =>
  `array_position(array[${waitKinds.map((kind) => `'${kind}'`).join(", ")}], ${value} ->> 'kind')`;
