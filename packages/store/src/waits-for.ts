import { waitKinds, type WaitsFor } from "@bron/protocol";
import { sql } from "kysely";

/**
 * What a parked run, or one of its child runs, waits for, as an expression over a row of `runs`. It
 * is computed when a run is read, because few of the runs in a list are parked.
 */
export const waitsForOf = (run: string) => `
case when ${run}.finished_at is null and not ${run}.runnable then (
  with recursive tree as (
    select ${run}.id, ${run}.status
    union all select c.id, c.status from tree join runs c on c.parent_run_id = tree.id and c.finished_at is null
  )
  select case
    when exists (select from tree join approvals a on a.run_id = tree.id and a.state = 'pending') then '{"kind": "approval"}'::jsonb
    when exists (select from tree join questions q on q.run_id = tree.id and q.state = 'pending') then '{"kind": "question"}'::jsonb
    when exists (select from tree where tree.status = 'awaiting_auth') then '{"kind": "sign_in"}'::jsonb
    else (select jsonb_build_object('kind', 'program', 'program', p.program) from tree join client_actions p on p.run_id = tree.id and p.state in ('pending', 'taken') order by p.created_at, p.id limit 1)
  end
) end`;

/** For queries of the table `runs`. */
export const waitsForColumn = sql<WaitsFor | null>`${sql.raw(waitsForOf("runs"))}`.as("waits_for");

/** Sorts the most urgent of such values first. */
export const byUrgency = (value: string) =>
  `array_position(array[${waitKinds.map((kind) => `'${kind}'`).join(", ")}], ${value} ->> 'kind')`;
