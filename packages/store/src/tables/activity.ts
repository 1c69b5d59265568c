import {
  maxSearchedRows,
  searchTerms,
  unsearchedFields,
  type ActivityPage,
  type Audit,
} from "@bron/core";
import { entriesOfKind, isUuid, type ActivityView } from "@bron/protocol";
import { sql, type Kysely, type Selectable } from "kysely";
import type { Database } from "../database/schema.ts";
import { toAuditView } from "./rows.ts";

type Options = Parameters<Audit["activity"]>[1];
type Row = Selectable<Database["audit"]> & {
  /** The newest entry of the row that this entry belongs to. Null if nothing was found. */
  readonly newest_id: number | null;
  readonly newest_at: Date;
  readonly task_title: string | null;
  readonly bron_name: string | null;
  readonly scanned: number;
  readonly oldest_scanned: number | null;
};

/**
 * The entries of the audit log with those of an action together. A row's place is that of its newest
 * entry, so the query looks for entries that no later one of the same action follows.
 */
export async function listActivity(
  db: Kysely<Database>,
  ownerId: string,
  { before = Number.MAX_SAFE_INTEGER, limit = 50, runId, kind, search = "" }: Options,
): Promise<ActivityPage> {
  if (runId !== undefined && !isUuid(runId)) return { activity: [], next: null };
  const terms = searchTerms(search);
  const maxRows = terms.length === 0 ? limit : maxSearchedRows;
  const { groups, toolPrefix } = kind === undefined ? anyKind : entriesOfKind(kind);
  const { rows } = await sql<Row>`
    with newest as materialized (
      select n.* from audit n
      where n.owner_id = ${ownerId} and n.id < ${before}
        and (${runId ?? null}::uuid is null or n.run_id = ${runId ?? null})
        and (${groups}::text[] is null or split_part(n.what, '.', 1) = any(${groups}))
        and (${toolPrefix} = '' or starts_with(n.tool, ${toolPrefix}))
        and (n.action_id is null or not exists (
          select from audit later where later.run_id = n.run_id and later.action_id = n.action_id and later.id > n.id))
      order by n.id desc limit ${maxRows}
    ), found as materialized (
      select n.id, n.run_id, n.action_id, n.created_at from newest n
      where ${terms.length === 0} or not exists (
        select from unnest(${terms}::text[]) term where strpos(${textOfNewest}, term) = 0)
      order by n.id desc limit ${limit}
    ), scan as (
      select count(*)::int as scanned, min(id) as oldest_scanned from newest
    )
    select e.*, f.id as newest_id, f.created_at as newest_at, r.title as task_title, b.name as bron_name, scan.*
    from scan
    left join found f on true
    left join lateral (
      select * from audit e where e.run_id = f.run_id and e.action_id = f.action_id
      union all
      select * from audit e where e.id = f.id and (f.run_id is null or f.action_id is null)
    ) e on true
    left join runs r on r.id = f.run_id and r.owner_id = ${ownerId}
    left join brons b on b.id = r.bron_id
    order by f.id desc, e.id`.execute(db);
  const activity = toActivity(rows);
  const [first] = rows;
  const isFull = activity.length === limit;
  const isCut = first !== undefined && first.scanned === maxRows;
  return {
    activity,
    next: (isFull ? activity.at(-1)?.id : isCut ? first.oldest_scanned : null) ?? null,
  };
}

const anyKind = { groups: null, toolPrefix: "" } as const;

const textsIn = (value: string) =>
  sql.raw(
    `(select string_agg(found #>> '{}', ' ') from jsonb_path_query(
      case jsonb_typeof(${value}) when 'object' then ${value} - '{${unsearchedFields.join(",")}}'::text[] else ${value} end,
      'strict $.** ? (@.type() == "string")') found)`,
  );

/**
 * What the action of an entry `n` says in its newest prepared form, or the details of another entry.
 * The audit log keeps recipients and subject after the form was deleted with its conversation.
 */
const textOfNewest = sql`lower(concat_ws(' ',
  case when n.action_id is null then ${textsIn("n.details")}
    else (select string_agg(${textsIn("e.details")}, ' ') from audit e
      where e.run_id = n.run_id and e.action_id = n.action_id and e.effect_id is not distinct from n.effect_id) end,
  (select ${textsIn("x.prepared")} from effects x where x.id = n.effect_id and x.owner_id = n.owner_id)))`;

function toActivity(rows: readonly Row[]): ActivityView[] {
  const groups = Map.groupBy(
    rows.filter(({ newest_id: id }) => id !== null),
    ({ newest_id: id }) => id,
  );
  return [...groups.values()].map((group) => {
    const [first] = group as [Row];
    return {
      id: Number(first.newest_id),
      at: first.newest_at.toISOString(),
      task:
        first.task_title === null
          ? null
          : { title: first.task_title, bronName: first.bron_name ?? "" },
      entries: group.map(toAuditView),
    };
  });
}
