import type { ListRuns, Runs } from "@bron/core";
import { isTerminal, isUuid, maxCountedRuns, type RunStatus, type RunView } from "@bron/protocol";
import type { Kysely } from "kysely";
import type pg from "pg";
import { runColumns, toRunView, type RunRow } from "../tables/rows.ts";
import type { Database } from "../database/schema.ts";
import { uuidRange } from "../tables/uuid-range.ts";
import { waitsForColumn } from "./waits-for.ts";

/** Newest first. */
export async function listRuns(
  db: Kysely<Database>,
  ownerId: string,
  { status, bronId, threadId, parentRunId, idPrefix, limit, before }: ListRuns,
): Promise<RunView[]> {
  let query = db
    .selectFrom("runs")
    .selectAll()
    .select(waitsForColumn)
    .where("owner_id", "=", ownerId)
    .where("kind", "=", "task");
  if (status)
    query = isTerminal(status)
      ? query.where("final_status", "=", status)
      : query.where("finished_at", "is", null).where("status", "=", status);
  if (idPrefix !== undefined) {
    const range = uuidRange(idPrefix);
    if (!range) return [];
    query = query.where("id", ">=", range.first).where("id", "<=", range.last);
  }
  if (bronId !== undefined) {
    if (!isUuid(bronId)) return [];
    query = query.where("bron_id", "=", bronId);
  }
  if (threadId !== undefined) {
    if (!isUuid(threadId)) return [];
    query = query.where("thread_id", "=", threadId);
  }
  if (parentRunId !== undefined) {
    if (!isUuid(parentRunId)) return [];
    query = query.where("parent_run_id", "=", parentRunId);
  }
  if (before !== undefined) {
    if (!isUuid(before)) return [];
    query = query.where((eb) =>
      eb(
        eb.refTuple("created_at", "id"),
        "<",
        eb
          .selectFrom("runs")
          .select(["created_at", "id"])
          .where("id", "=", before)
          .where("owner_id", "=", ownerId)
          .$asTuple("created_at", "id"),
      ),
    );
  }
  const rows = await query
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(limit ?? 50)
    .execute();
  return rows.map(toRunView);
}

export async function listChanges(
  pool: pg.Pool,
  ownerIds: readonly string[],
  { runIds, active = false }: Parameters<Runs["changes"]>[1],
): ReturnType<Runs["changes"]> {
  const { rows } = await pool.query<RunRow & { pending_approvals: number }>({
    name: `bron-changes-4-${active}`,
    text: changesStatement(active ? changedOrActive : "$2::uuid[]"),
    values: [ownerIds, runIds.filter(isUuid)],
  });
  return rows.map((row) => ({ run: toRunView(row), pendingApprovals: row.pending_approvals }));
}

export async function countRuns(
  pool: pg.Pool,
  ownerId: string,
): Promise<Partial<Record<RunStatus, number>>> {
  const { rows } = await pool.query<{ status: RunStatus; runs: number }>({
    name: "bron-counts-2",
    text: countsStatement,
    values: [ownerId],
  });
  return Object.fromEntries(rows.map(({ status, runs }) => [status, runs]));
}

/**
 * Uses indexes that have the status of finished runs only, because the status of an active run
 * changes at every step.
 */
const countsStatement = `
  select status, count(*)::int as runs from runs where owner_id = $1 and kind = 'task' and finished_at is null group by status
  union all
  select over.status, over.runs from unnest(array['completed', 'failed', 'canceled']) as final (status)
  cross join lateral (select final.status, count(*)::int as runs
    from (select from runs where owner_id = $1 and final_status = final.status limit ${maxCountedRuns}) as counted) as over where over.runs > 0`;

const changedOrActive =
  "array(select id from runs where owner_id = any($1::text[]) and finished_at is null union select unnest($2::uuid[]))";

function changesStatement(ids: string): string {
  return `
    select ${runColumns("r")}, coalesce(p.count, 0) as pending_approvals
    from runs r left join (select owner_id, count(*) as count from approvals where owner_id = any($1::text[])
      and state = 'pending' and (snoozed_until is null or snoozed_until <= clock_timestamp()) group by owner_id) p on p.owner_id = r.owner_id
    where r.owner_id = any($1::text[]) and r.kind = 'task' and r.id = any(${ids})`;
}
