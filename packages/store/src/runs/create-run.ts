import {
  BronError,
  childRunLimit,
  childRunStarted,
  contextOf,
  isSameTask,
  threadNotFound,
  type CreatedRun,
  type NewRun,
  type ParentRun,
} from "@bron/core";
import { isTerminal, isUuid, type NewEvent, type Place, type RunView } from "@bron/protocol";
import { sql, type Kysely } from "kysely";
import { ensureThread } from "../tables/ensure-bron.ts";
import { insertRun, type TargetThread } from "./insert-run.ts";
import { toRunView } from "../tables/rows.ts";
import type { Database } from "../database/schema.ts";
import { attachFiles, lockFiles } from "../files/uploads.ts";
import { waitsForColumn } from "./waits-for.ts";
import type { WakeWriter } from "./wake.ts";

/** Creates a run and wakes it, or returns the run that has the same idempotency key. */
export async function createRun(
  db: Kysely<Database>,
  writer: WakeWriter,
  run: NewRun,
): Promise<CreatedRun> {
  const earlier = await findByKey(db, run);
  if (earlier) return { run: earlier, created: false };
  try {
    return { run: await insertAndWake(writer, run), created: true };
  } catch (error) {
    // A concurrent request with the same key, and perhaps the same uploads, was first.
    const existing =
      isUniqueViolation(error, "runs_idempotency") || BronError.is(error, "conflict")
        ? await findByKey(db, run)
        : undefined;
    if (existing) return { run: existing, created: false };
    throw error;
  }
}

async function findByKey(db: Kysely<Database>, run: NewRun): Promise<RunView | undefined> {
  if (run.idempotencyKey === undefined) return undefined;
  const row = await db
    .selectFrom("runs")
    .selectAll()
    .select(waitsForColumn)
    .where("owner_id", "=", run.ownerId)
    .where("idempotency_key", "=", run.idempotencyKey)
    .executeTakeFirst();
  if (!row) return undefined;
  const existing = toRunView(row);
  const [uploadIds, context] = await Promise.all([
    uploadIdsOf(db, row.id, run),
    readContext(db, row.id),
  ]);
  if (!isSameTask({ ...existing, uploadIds, context }, run))
    throw new BronError("conflict", "This idempotency key was already used for another task.");
  return existing;
}

/** What came with the task of an existing run, from the first entry of its log. */
async function readContext(db: Kysely<Database>, runId: string): Promise<readonly string[]> {
  const { rows } = await sql<{ events: NewEvent[] }>`
    select events from run_log where run_id = ${runId} order by seq limit 1`.execute(db);
  return contextOf(rows[0]?.events ?? []);
}

/** The uploads of an existing run, if the request names any. */
async function uploadIdsOf(
  db: Kysely<Database>,
  runId: string,
  { input }: NewRun,
): Promise<string[]> {
  if ((input.uploadIds ?? []).length === 0) return [];
  const rows = await db.selectFrom("uploads").select("id").where("run_id", "=", runId).execute();
  return rows.map(({ id }) => id);
}

/**
 * Optimized for the common case: a run in a new thread that this process starts takes one
 * statement.
 */
async function insertAndWake(writer: WakeWriter, run: NewRun): Promise<RunView> {
  const { ownerId, input } = run;
  const delayMs = input.delayMs ?? 0;
  const target: TargetThread = input.bronId === undefined ? {} : { bronId: input.bronId };
  const mayHaveFiles = run.retry !== undefined || (input.uploadIds ?? []).length > 0;
  if (input.threadId === undefined && run.parent === undefined && delayMs === 0 && !mayHaveFiles) {
    const inserted = await writer.statement(async (client) => {
      const row = await insertRun(client, run, target);
      return row
        ? { result: row, wake: { runId: row.id, ownerId, wake: 1, delayMs, held: false } }
        : { result: undefined };
    });
    if (inserted) return toRunView({ ...inserted, waits_for: null });
  }
  return await writer.transaction(async ({ db, client, wake, appendAndWake }) => {
    const thread = await ensureThread(db, ownerId, {
      ...(input.bronId ? { bronId: input.bronId } : {}),
      ...(input.threadId ? { threadId: input.threadId } : {}),
      // A run under way may still start child runs after its Bron was archived.
      mayBeArchived: run.parent !== undefined,
    });
    const { parent } = run;
    if (parent && !isUuid(parent.runId))
      throw new BronError("not_found", `Run ${parent.runId} not found.`);
    const place = parent ? await checkParent(db, ownerId, parent) : input.place;
    const files = mayHaveFiles ? await lockFiles(db, run) : [];
    const placed = { ...run, input: { ...input, place } };
    const row = await insertRun(client, placed, { threadId: thread.id }, files);
    if (!row) throw threadNotFound(thread.id);
    await attachFiles(db, { run, runId: row.id }, files);
    await wake({ runId: row.id, ownerId, wake: 1, delayMs, held: false });
    if (parent)
      await appendAndWake(ownerId, parent.runId, [
        childRunStarted(parent, { id: row.id, title: row.title }),
      ]);
    return toRunView({ ...row, waits_for: null });
  });
}

/**
 * Locks the parent's row, so that a cancellation or a move either sees this child run or is seen by
 * it. Returns the place of the parent.
 */
async function checkParent(
  db: Kysely<Database>,
  ownerId: string,
  { runId: parentRunId, maxChildren }: ParentRun,
): Promise<Place | undefined> {
  const parent = await db
    .selectFrom("runs")
    .select(["cancel_requested_at", "status", "place"])
    .where("id", "=", parentRunId)
    .where("owner_id", "=", ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!parent) throw new BronError("not_found", `Run ${parentRunId} not found.`);
  if (parent.cancel_requested_at || isTerminal(parent.status))
    throw new BronError("conflict", "The parent run has been canceled.");
  const place = parent.place ?? undefined;
  if (maxChildren === undefined) return place;
  const { children } = await db
    .selectFrom("runs")
    .select((eb) => eb.fn.countAll<number>().as("children"))
    .where("parent_run_id", "=", parentRunId)
    .executeTakeFirstOrThrow();
  if (Number(children) >= maxChildren) throw childRunLimit(maxChildren);
  return place;
}

function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string };
  return code === "23505" && name === constraint;
}
