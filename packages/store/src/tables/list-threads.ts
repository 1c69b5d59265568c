import type { ListThreads } from "@bron/core";
import { isParked, isUuid, runStates, type ThreadState, type ThreadView } from "@bron/protocol";
import type pg from "pg";
import { byUrgency, waitsForOf } from "../runs/waits-for.ts";
import { sentTextOf, ownerWord, toQuery } from "./task-words.ts";
import { toThreadView, type ThreadRow } from "./rows.ts";
import { uuidRange } from "./uuid-range.ts";

export async function listThreads(
  pool: pg.Pool,
  ownerId: string,
  options: ListThreads,
): Promise<ThreadView[]> {
  const { idPrefix, bronId, limit, words = [] } = options;
  const range = idPrefix === undefined ? undefined : uuidRange(idPrefix);
  if ((idPrefix !== undefined && !range) || (bronId !== undefined && !isUuid(bronId))) return [];
  const values: unknown[] = [ownerId, limit];
  const parameter = (value: unknown, type: string) => `$${values.push(value)}::${type}`;
  const query =
    words.length === 0
      ? undefined
      : `(('''' || ${ownerWord("$1::text")} || '''')::tsquery && to_tsquery('simple', lower(${parameter(toQuery(words), "text")})))`;
  const conditions = conditionsOf({ ...options, range }, parameter);
  const { rows } = await pool.query<ThreadRow>({
    // Statements of a search have no name: the plan depends on how frequent the words are.
    ...(query === undefined ? { name: nameOf(options) } : {}),
    text: threadsStatement({ query, state: options.state, conditions }),
    values,
  });
  return rows.map((row) => toThreadView(row, words));
}

/** Of statements with the same text. */
function nameOf({ idPrefix, bronId, archived, state, before }: ListThreads): string {
  const parts = [idPrefix && "range", bronId && "bron", state, before && "after"];
  return ["bron-threads-3", String(archived), ...parts.filter(Boolean)].join("-");
}

function conditionsOf(
  {
    range,
    bronId,
    archived,
    before,
  }: Omit<ListThreads, "idPrefix"> & { readonly range: ReturnType<typeof uuidRange> },
  parameter: (value: unknown, type: string) => string,
): string[] {
  return [
    ...(range
      ? [`t.id between ${parameter(range.first, "uuid")} and ${parameter(range.last, "uuid")}`]
      : []),
    ...(bronId === undefined ? [] : [`t.bron_id = ${parameter(bronId, "uuid")}`]),
    ...(archived === undefined ? [] : [`t.archived_at is ${archived ? "not " : ""}null`]),
    ...(before
      ? [
          `((t.pinned_at is not null), t.updated_at, t.id) <
            (${parameter(before.pinnedAt !== null, "boolean")}, ${parameter(before.updatedAt, "timestamptz")}, ${parameter(before.id, "uuid")})`,
        ]
      : []),
  ];
}

const parkedStates = runStates
  .filter(isParked)
  .map((status) => `'${status}'`)
  .join(", ");

const isActive = `exists (select from runs r where r.thread_id = t.id and r.finished_at is null)`;
const needsOwner = `(t.id in (select waiting.thread_id from waiting where waiting.is_owner) or (newest.outcome = 'needs_answer' and not ${isActive}))`;

/** The threads in a state. Each starts from the runs that are few. */
const inState: Readonly<Record<ThreadState, string>> = {
  needs_you: `(t.id in (
      select waiting.thread_id from waiting where waiting.is_owner
      union all
      select r.thread_id from runs r where r.owner_id = $1 and r.outcome <> 'done' and r.outcome = 'needs_answer')
    and ${needsOwner})`,
  working: `(t.id in (select r.thread_id from runs r where r.owner_id = $1 and r.finished_at is null)
    and not ${needsOwner})`,
  done: `(newest.outcome = 'done' and not ${isActive})`,
  not_done: `(t.id in (select r.thread_id from runs r where r.owner_id = $1 and r.outcome <> 'done')
    and newest.outcome <> 'done' and newest.outcome <> 'needs_answer' and not ${isActive})`,
};

interface ThreadsQuery {
  readonly query: string | undefined;
  readonly state: ThreadState | undefined;
  readonly conditions: readonly string[];
}

/**
 * Few runs wait for the owner, so the statement starts from these and finds the threads of their
 * parent runs.
 */
function threadsStatement({ query, state, conditions }: ThreadsQuery): string {
  // Not a list of what is found: for a frequent word it is faster to look through the newest threads,
  // for a rare one to start from the index. Postgres knows how frequent each word is.
  const found = (thread: string) =>
    `from task_words w where w.thread_id = ${thread}.id and w.owner_id = $1 and w.words @@ ${query}`;
  const all = [
    "t.owner_id = $1 and t.updated_at is not null",
    ...conditions,
    ...(query === undefined ? [] : [`exists (select ${found("t")})`]),
    ...(state === undefined ? [] : [inState[state]]),
  ];
  const foundTexts = `(select array[
      left(coalesce(r.summary, ''), 50000),
      coalesce((select string_agg(${sentTextOf("e")}, ' ') from effects e where e.run_id = r.id and e.state = 'done'), ''),
      left(r.prompt, 50000)]
    from runs r where r.id in (select w.run_id ${found("page")}) order by r.created_at desc limit 1)`;
  const newest = `cross join lateral (
    select r.status, r.id as run_id, r.title as run_title, r.not_done, r.outcome
    from runs r where r.thread_id = t.id order by r.created_at desc, r.id desc limit 1) newest`;
  return `
with recursive waiting as (
  select r.parent_run_id, r.thread_id, r.id as origin, r.status = 'awaiting_auth' or asked.count > 0 as is_owner, asked.count
  from runs r cross join lateral (
    select (select count(*) from approvals a where a.owner_id = $1 and a.run_id = r.id and a.state = 'pending')
      + (select count(*) from questions q where q.run_id = r.id and q.state = 'pending') as count
  ) asked
  where r.owner_id = $1 and r.finished_at is null and (r.status in (${parkedStates}) or asked.count > 0)
  union
  select p.parent_run_id, p.thread_id, waiting.origin, waiting.is_owner, waiting.count
  from waiting join runs p on p.id = waiting.parent_run_id and p.owner_id = $1
), page as materialized (
  select t.id, t.bron_id, t.title, t.created_at, t.updated_at, t.archived_at, t.pinned_at, newest.*
  from threads t ${newest}
  where ${all.join(" and ")}
  order by (t.pinned_at is not null) desc, t.updated_at desc, t.id desc limit $2
)
select page.*,
  (select w.waits_for
    from (select ${waitsForOf("r")} as waits_for from runs r where r.thread_id = page.id and r.finished_at is null) w
    where w.waits_for is not null order by ${byUrgency("w.waits_for")} limit 1) as waits_for,
  (select count(*) from runs c where c.thread_id = page.id) as run_count,
  page.id in (select waiting.thread_id from waiting) as waits_for_owner,
  coalesce((select sum(waiting.count) from waiting where waiting.thread_id = page.id), 0)::int as pending_count,
  ${query === undefined ? "null::text[]" : foundTexts} as found_texts
from page
order by (page.pinned_at is not null) desc, page.updated_at desc, page.id desc`;
}
