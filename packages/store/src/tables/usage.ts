import { BronError, type Usage, type UsageTimes } from "@bron/core";
import type { UsageView } from "@bron/protocol";
import type pg from "pg";
import { wrapDatabaseErrors } from "../database/database-errors.ts";

type Row = UsageView["days"][number] & UsageTimes;

export function postgresUsage(pool: pg.Pool): Usage {
  return wrapDatabaseErrors({
    async byDay(ownerId, { days, zone }) {
      try {
        const { rows } = await pool.query<Row>({
          name: "bron-usage-6",
          text: usageStatement,
          values: [ownerId, days, zone],
        });
        const [first] = rows;
        return {
          days: rows.map(
            ({ medianSeconds: _, workedSeconds: _worked, medianApprovalSeconds: _wait, ...day }) =>
              day,
          ),
          medianSeconds: first?.medianSeconds ?? null,
          workedSeconds: first?.workedSeconds ?? 0,
          medianApprovalSeconds: first?.medianApprovalSeconds ?? null,
        };
      } catch (error) {
        if (invalidValueCodes.has((error as { code?: string }).code ?? ""))
          throw new BronError(
            "invalid_input",
            `Unknown time zone ${JSON.stringify(zone)}. Use a name such as Europe/Berlin.`,
            { cause: error },
          );
        throw error;
      }
    },
  });
}

/** Only the time zone can be invalid: an unknown name, or invalid text. */
const invalidValueCodes: ReadonlySet<string> = new Set(["22023", "22021"]);

/**
 * A run counts on the day it was created, with everything it did later. Child runs do not count as
 * tasks, but their cost counts. Tool calls and decisions count on their own days. The time in which
 * a run waited for several decisions at once counts once.
 */
const usageStatement = `
with period as materialized (
  select first, first::timestamp at time zone $3 as since from (select (clock_timestamp() at time zone $3)::date - ($2::int - 1) as first) f
), made as materialized (
  select r.id, r.started_at, r.finished_at, (r.created_at at time zone $3)::date as day, r.status, r.outcome, r.parent_run_id is null and r.kind = 'task' as is_whole,
    r.input_tokens, r.cached_input_tokens, r.output_tokens, r.spent_microusd
  from runs r, period where r.owner_id = $1 and r.created_at >= period.since
), waits as (
  select m.id, greatest(a.created_at, m.started_at) as since,
    case when a.state in ('approved', 'used') then greatest(a.decided_at, a.undo_until) else a.decided_at end as until,
    m.finished_at
  from made m join approvals a on a.run_id = m.id where m.is_whole and m.finished_at is not null
  union all
  select m.id, greatest(q.created_at, m.started_at), q.answered_at, m.finished_at
  from made m join questions q on q.run_id = m.id where m.is_whole and m.finished_at is not null
), waited as (
  select id,
    (select sum(extract(epoch from upper(span) - lower(span)))
      from unnest(range_agg(tstzrange(since, least(coalesce(until, finished_at), finished_at)))) span)::float8 as seconds
  from waits where since < least(coalesce(until, finished_at), finished_at) group by id
), worked as (
  select greatest(0, extract(epoch from m.finished_at - m.started_at)::float8 - coalesce(w.seconds, 0)) as seconds
  from made m left join waited w using (id) where m.is_whole and m.finished_at is not null and m.started_at is not null
), of_runs as (
  select day, count(*) filter (where is_whole) as runs,
    count(*) filter (where is_whole and status = 'completed' and outcome = 'done') as succeeded,
    count(*) filter (where is_whole and status = 'completed' and outcome = 'partly_done') as in_part,
    count(*) filter (where is_whole and status = 'completed' and outcome = 'could_not') as could_not,
    count(*) filter (where is_whole and status = 'completed' and outcome = 'needs_answer') as needs_answer,
    count(*) filter (where is_whole and status = 'completed' and outcome = 'denied') as denied_runs,
    count(*) filter (where is_whole and status = 'failed') as failed, count(*) filter (where is_whole and status = 'canceled') as canceled,
    sum(input_tokens)::bigint as input_tokens, sum(cached_input_tokens)::bigint as cached_input_tokens,
      sum(output_tokens)::bigint as output_tokens, sum(spent_microusd)::bigint as cost
  from made group by day
), of_calls as (
  select (a.created_at at time zone $3)::date as day, count(*) as calls
  from period, runs r join actions a on a.run_id = r.id
  where r.owner_id = $1 and (r.finished_at is null or r.finished_at >= period.since) and a.created_at >= period.since group by 1
), of_approvals as (
  select (a.decided_at at time zone $3)::date as day,
    count(*) filter (where a.state in ('approved', 'used')) as approved, count(*) filter (where a.state = 'denied' and a.undo_until is null) as denied
  from approvals a, period where a.owner_id = $1 and a.decided_at >= period.since group by 1
)
select to_char(day, 'YYYY-MM-DD') as day, coalesce(runs, 0) as runs, coalesce(succeeded, 0) as succeeded,
  coalesce(in_part, 0) as "inPart", coalesce(could_not, 0) as "couldNot",
  coalesce(needs_answer, 0) as "needsAnswer", coalesce(denied_runs, 0) as "deniedRuns", coalesce(failed, 0) as failed, coalesce(canceled, 0) as canceled,
  coalesce(input_tokens, 0) as "inputTokens", coalesce(cached_input_tokens, 0) as "cachedInputTokens",
    coalesce(output_tokens, 0) as "outputTokens", coalesce(cost, 0) as "costMicrousd",
    coalesce(approved, 0) as approved, coalesce(denied, 0) as denied, coalesce(calls, 0) as "toolCalls",
  (select percentile_cont(0.5) within group (order by seconds) from worked) as "medianSeconds",
  (select coalesce(sum(seconds), 0) from worked) as "workedSeconds",
  (select percentile_cont(0.5) within group (order by extract(epoch from a.decided_at - a.created_at)::float8) from approvals a, period
    where a.owner_id = $1 and a.decided_at >= period.since and a.state in ('approved', 'used', 'denied', 'superseded')) as "medianApprovalSeconds"
from (select first + n as day from period, generate_series(0, $2::int - 1) n) d
left join of_runs using (day) left join of_calls using (day) left join of_approvals using (day)
order by d.day`;
