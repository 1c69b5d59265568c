import {
  actionDetails,
  BronError,
  childRunStarted,
  cleanText,
  type NewRun,
  type ParentRun,
  type Runs,
} from "@bron/core";
import { isTerminal, maxCountedRuns, type RunStatus, type RunView, isUuid } from "@bron/protocol";
import type { Kysely, Selectable } from "kysely";
import { ensureThread } from "./brons.ts";
import { cancelAll, cancelTree } from "./cancel-runs.ts";
import type { OpenDatabase } from "./database.ts";
import { insertRun, type TargetThread } from "./insert-run.ts";
import { readLog } from "./log-rows.ts";
import type pg from "pg";
import { toActionView, toEffectView, toRunView } from "./rows.ts";
import type { Database } from "./schema.ts";
import { lockFiles, attachFiles } from "./uploads.ts";
import { uuidRange } from "./uuid-range.ts";
import type { WakeWriter } from "./wake.ts";

export function postgresRuns(
  { pool, db }: Pick<OpenDatabase, "pool" | "db">,
  writer: WakeWriter,
): Runs {
  return {
    async create(run) {
      const created = await findByKey(db, run);
      if (created) return created;
      try {
        return await create(writer, run);
      } catch (error) {
        // A concurrent request with the same key, and perhaps the same uploads, was first.
        const existing =
          isUniqueViolation(error, "runs_idempotency") || BronError.is(error, "conflict")
            ? await findByKey(db, run)
            : undefined;
        if (existing) return existing;
        throw error;
      }
    },

    async get(ownerId, runId) {
      if (!isUuid(runId)) return undefined;
      const row = await db
        .selectFrom("runs")
        .selectAll()
        .where("id", "=", runId)
        .where("owner_id", "=", ownerId)
        .executeTakeFirst();
      return row && toRunView(row);
    },

    async list(ownerId, { status, bronId, idPrefix, limit, before }) {
      let query = db.selectFrom("runs").selectAll().where("owner_id", "=", ownerId);
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
    },

    async changes(ownerIds, { runIds, active = false }) {
      const { rows } = await pool.query<
        Selectable<Database["runs"]> & { pending_approvals: number }
      >({
        name: `bron-changes-1-${active}`,
        text: changesStatement(active ? changedOrActive : "$2::uuid[]"),
        values: [ownerIds, runIds.filter(isUuid)],
      });
      return rows.map((row) => ({ run: toRunView(row), pendingApprovals: row.pending_approvals }));
    },

    async events(ownerId, runId, afterSeq, limit = 1_000) {
      return isUuid(runId) ? await readLog(pool, { ownerId, runId, afterSeq, limit }) : [];
    },

    async counts(ownerId) {
      const { rows } = await pool.query<{ status: RunStatus; runs: number }>({
        name: "bron-counts-1",
        text: countsStatement,
        values: [ownerId],
      });
      return Object.fromEntries(rows.map(({ status, runs }) => [status, runs]));
    },

    async actions(ownerId, runId) {
      if (!isUuid(runId)) return [];
      const [rows, log] = await Promise.all([
        db
          .selectFrom("actions")
          .selectAll()
          .where("run_id", "=", runId)
          .where("owner_id", "=", ownerId)
          .orderBy("step")
          .orderBy("created_at")
          .orderBy("id")
          .execute(),
        readLog(pool, { ownerId, runId, afterSeq: 0 }),
      ]);
      const details = actionDetails(log);
      // Actions of one step have the same creation time, so the log determines their order.
      const order = new Map([...details.keys()].map((id, position) => [id, position]));
      const positionOf = ({ id }: { readonly id: string }) => order.get(id) ?? order.size;
      return rows
        .toSorted((a, b) => positionOf(a) - positionOf(b))
        .map((row) => toActionView(row, details.get(row.id)));
    },

    async effects(ownerId, runId) {
      if (!isUuid(runId)) return [];
      const rows = await db
        .selectFrom("effects")
        .selectAll()
        .where("run_id", "=", runId)
        .where("owner_id", "=", ownerId)
        .orderBy("created_at")
        .execute();
      return rows.map(toEffectView);
    },

    async announceConnected(ownerId, provider) {
      const rows = await db
        .selectFrom("runs")
        .select("id")
        .where("owner_id", "=", ownerId)
        .where("finished_at", "is", null)
        .where("status", "not in", ["queued", "completed", "failed", "canceled"])
        .execute();
      let notified = 0;
      for (const { id } of rows)
        if (
          await writer.transaction((transaction) =>
            transaction.appendAndWake(ownerId, id, [
              { type: "auth", payload: { state: "connected", provider } },
            ]),
          )
        )
          notified++;
      return notified;
    },

    async notifyParents(only) {
      let notified = 0;
      for (
        let rows = await findUnreported(pool, only);
        rows.length > 0;
        rows = rows.length < notifyBatchSize ? [] : await findUnreported(pool, only)
      ) {
        for (const {
          id,
          owner_id: ownerId,
          parent_run_id: parentRunId,
          title,
          status,
          error,
          not_done: notDone,
          reported,
          is_orphan: isOrphan,
        } of rows) {
          notified++;
          if (isOrphan) {
            await this.requestCancel(ownerId, id, "The parent task has ended.");
            continue;
          }
          // Append first, then mark as reported. A crash in between reports the status twice.
          await writer.transaction((transaction) =>
            transaction.appendAndWake(ownerId, parentRunId, [
              {
                type: "child_run",
                payload: {
                  childRunId: id,
                  title,
                  status,
                  ...(error ? { error } : {}),
                  ...(notDone > 0 ? { notDone } : {}),
                },
              },
            ]),
          );
          await db
            .updateTable("runs")
            .set({ parent_told: reported })
            .where("id", "=", id)
            .where("owner_id", "=", ownerId)
            .execute();
        }
      }
      return notified;
    },

    async requestCancel(ownerId, runId, reason) {
      const root = await this.get(ownerId, runId);
      if (!root) throw new BronError("not_found", `Run ${runId} not found.`);
      return await writer.transaction(
        async (transaction) => await cancelTree(transaction, runId, { ownerId, reason }),
      );
    },

    async requestCancelAll(ownerId, reason) {
      return await writer.transaction(
        async (transaction) => await cancelAll(transaction, { ownerId, reason }),
      );
    },
  };
}

interface UnreportedRow {
  readonly id: string;
  readonly owner_id: string;
  readonly parent_run_id: string;
  readonly title: string;
  readonly status: RunStatus;
  readonly error: RunView["error"];
  readonly not_done: number;
  /** The current status in the vocabulary of `parent_told`. */
  readonly reported: "running" | "waiting" | "over";
  /** The parent has ended, and this child run has not. */
  readonly is_orphan: boolean;
}

/**
 * Uses indexes that have the status of finished runs only, because the status of an active run
 * changes at every step.
 */
const countsStatement = `
  select status, count(*)::int as runs from runs where owner_id = $1 and finished_at is null group by status
  union all
  select over.status, over.runs from unnest(array['completed', 'failed', 'canceled']) as final (status)
  cross join lateral (select final.status, count(*)::int as runs from (select from runs where owner_id = $1 and final_status = final.status limit ${maxCountedRuns}) as counted) as over where over.runs > 0`;

const notifyBatchSize = 50;
const reportedStatus =
  "case when c.finished_at is not null then 'over' when c.status in ('awaiting_confirmation', 'awaiting_auth') then 'waiting' else 'running' end";

/**
 * Child runs whose status differs from what their parent last recorded, and unfinished child runs
 * of a finished parent.
 */
async function findUnreported(
  pool: pg.Pool,
  only: readonly string[] | undefined,
): Promise<UnreportedRow[]> {
  const { rows } = await pool.query<UnreportedRow>({
    name: "bron-unreported-children-1",
    text: `
      select c.id, c.owner_id, c.parent_run_id, c.title, c.status, c.error, c.not_done, ${reportedStatus} as reported, p.finished_at is not null and c.finished_at is null as is_orphan
      from runs c join runs p on p.id = c.parent_run_id
      where c.parent_run_id is not null and c.parent_told <> 'over' and ($1::uuid[] is null or p.id = any($1) or c.id = any($1))
        and case when p.finished_at is not null and c.finished_at is null then c.cancel_requested_at is null else c.parent_told <> ${reportedStatus} end
      order by c.finished_at limit ${notifyBatchSize}`,
    values: [only ?? null],
  });
  return rows;
}

const changedOrActive =
  "array(select id from runs where owner_id = any($1::text[]) and finished_at is null union select unnest($2::uuid[]))";

function changesStatement(ids: string): string {
  return `
    select r.*, coalesce(p.count, 0) as pending_approvals
    from runs r left join (select owner_id, count(*) as count from approvals where owner_id = any($1::text[]) and state = 'pending' group by owner_id) p on p.owner_id = r.owner_id
    where r.owner_id = any($1::text[]) and r.id = any(${ids})`;
}

async function findByKey(db: Kysely<Database>, run: NewRun) {
  if (run.idempotencyKey === undefined) return undefined;
  const row = await db
    .selectFrom("runs")
    .selectAll()
    .where("owner_id", "=", run.ownerId)
    .where("idempotency_key", "=", run.idempotencyKey)
    .executeTakeFirst();
  if (row && !(await isSameTask(db, row, run)))
    throw new BronError("conflict", "This idempotency key was already used for another task.");
  return row && toRunView(row);
}

/** Whether the request has the same prompt, target, files and retried run as the existing run. */
async function isSameTask(
  db: Kysely<Database>,
  row: Selectable<Database["runs"]>,
  { input, retry, parent }: NewRun,
): Promise<boolean> {
  const { prompt, bronId = row.bron_id, threadId = row.thread_id, uploadIds = [] } = input;
  if (
    row.prompt !== cleanText(prompt) ||
    row.bron_id !== bronId ||
    row.thread_id !== threadId ||
    row.retry_of !== (retry?.runId ?? null) ||
    row.parent_run_id !== (parent?.runId ?? null)
  )
    return false;
  if (uploadIds.length === 0) return true;
  const uploads = await db
    .selectFrom("uploads")
    .select("id")
    .where("run_id", "=", row.id)
    .execute();
  return uploadIds.every((id) => uploads.some((upload) => upload.id === id.toLowerCase()));
}

/**
 * Optimized for the common case: a run in a new thread that this process starts takes one
 * statement.
 */
async function create(writer: WakeWriter, run: NewRun) {
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
    if (inserted) return toRunView(inserted);
  }
  return await writer.transaction(async ({ db, client, wake, appendAndWake }) => {
    const thread = await ensureThread(db, ownerId, {
      ...(input.bronId ? { bronId: input.bronId } : {}),
      ...(input.threadId ? { threadId: input.threadId } : {}),
    });
    const { parent } = run;
    if (parent && !isUuid(parent.runId))
      throw new BronError("not_found", `Run ${parent.runId} not found.`);
    if (parent) await checkParent(db, ownerId, parent);
    const files = mayHaveFiles ? await lockFiles(db, run) : [];
    const row = await insertRun(client, run, { threadId: thread.id }, files);
    if (!row) throw new BronError("internal", "The thread is gone");
    await attachFiles(db, { run, runId: row.id }, files);
    await wake({ runId: row.id, ownerId, wake: 1, delayMs, held: false });
    if (parent)
      await appendAndWake(ownerId, parent.runId, [
        childRunStarted(parent, { id: row.id, title: row.title }),
      ]);
    return toRunView(row);
  });
}

/** Locks the parent's row, so that a cancellation either sees this child run or is seen by it. */
async function checkParent(
  db: Kysely<Database>,
  ownerId: string,
  { runId: parentRunId, maxChildren }: ParentRun,
): Promise<void> {
  const parent = await db
    .selectFrom("runs")
    .select(["cancel_requested_at", "status"])
    .where("id", "=", parentRunId)
    .where("owner_id", "=", ownerId)
    .forUpdate()
    .executeTakeFirst();
  if (!parent) throw new BronError("not_found", `Run ${parentRunId} not found.`);
  if (parent.cancel_requested_at || ["completed", "failed", "canceled"].includes(parent.status))
    throw new BronError("conflict", "The parent run has been canceled.");
  if (maxChildren === undefined) return;
  const { children } = await db
    .selectFrom("runs")
    .select((eb) => eb.fn.countAll<number>().as("children"))
    .where("parent_run_id", "=", parentRunId)
    .executeTakeFirstOrThrow();
  if (Number(children) >= maxChildren)
    throw new BronError(
      "cap_children",
      `This task already has ${children} subtasks, which is the limit. Do the rest here.`,
    );
}

function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string };
  return code === "23505" && name === constraint;
}
