import { threadDeletedEntry, threadNotFound, threadUnderWay } from "@bron/core";
import { sql, type Kysely } from "kysely";
import { writeAudit } from "./audit.ts";
import { addRemovableBlobs } from "../files/removable-blobs.ts";
import type { Database } from "../database/schema.ts";

/**
 * Runs in the caller's transaction. It locks the thread first. A new run updates this row, so it
 * has either been committed by now or finds no thread. New child runs need a parent run under way.
 */
export async function deleteThread(
  db: Kysely<Database>,
  ownerId: string,
  threadId: string,
): Promise<void> {
  const thread = await db
    .selectFrom("threads")
    .select("bron_id")
    .where("id", "=", threadId)
    .where("owner_id", "=", ownerId)
    .where("updated_at", "is not", null)
    .forUpdate()
    .executeTakeFirst();
  if (!thread) throw threadNotFound(threadId);
  const runs = await findRuns(db, ownerId, threadId);
  const underWay = runs.filter((run) => run.is_needed);
  if (underWay.length > 0) throw threadUnderWay(underWay.map(({ id }) => id));
  const runIds = runs.map(({ id }) => id);
  await addRemovableBlobs(db, runIds);
  for (const table of projections)
    await sql`delete from ${sql.table(table)} where owner_id = ${ownerId} and run_id = any(${runIds}::uuid[])`.execute(
      db,
    );
  const threadIds = [...new Set([threadId, ...runs.map((run) => run.thread_id)])];
  await sql`
    delete from bron_messages where owner_id = ${ownerId} and thread_id = any(${threadIds}::uuid[])
      and (thread_id = ${threadId} or run_id = any(${runIds}::uuid[]))`.execute(db);
  await sql`delete from runs where owner_id = ${ownerId} and id = any(${runIds}::uuid[])`.execute(
    db,
  );
  // The owner may have continued the thread of a child run, which is a conversation since then.
  await sql`
    delete from threads t where owner_id = ${ownerId} and id = any(${threadIds}::uuid[])
      and (id = ${threadId} or (updated_at is null and not exists (select from runs r where r.thread_id = t.id)))`.execute(
    db,
  );
  await writeAudit(db, ownerId, [
    threadDeletedEntry({ threadId, bronId: thread.bron_id, runs: runs.length }),
  ]);
}

const projections = [
  "partial_texts",
  "approvals",
  "effects",
  "actions",
  "artifacts",
  "uploads",
  "task_words",
  "run_log",
] as const;

/**
 * The runs of the thread and all their child runs. A run is needed until it has ended and its
 * parent run, which may be in another thread, has ended as well.
 */
async function findRuns(
  db: Kysely<Database>,
  ownerId: string,
  threadId: string,
): Promise<{ id: string; thread_id: string; is_needed: boolean }[]> {
  const { rows } = await sql<{ id: string; thread_id: string; is_needed: boolean }>`
    with recursive tree as (
      select id, thread_id, parent_run_id, finished_at from runs where thread_id = ${threadId} and owner_id = ${ownerId}
      union select r.id, r.thread_id, r.parent_run_id, r.finished_at from runs r join tree on r.parent_run_id = tree.id where r.owner_id = ${ownerId}
    )
    select id, thread_id, finished_at is null or exists (select from runs p where p.id = tree.parent_run_id and p.finished_at is null) as is_needed
    from tree order by id`.execute(db);
  return rows;
}
