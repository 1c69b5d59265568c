import { BronError, cleanText, type NewRun, type Runs } from "@bron/core";
import { logVersion, type RunEvent } from "@bron/protocol";
import { sql, type Kysely } from "kysely";
import { randomUUID } from "node:crypto";
import { toJson } from "./database.ts";
import { ensureThread } from "./brons.ts";
import { toActionView, toEffectView, toRunEvent, toRunView } from "./rows.ts";
import type { Database } from "./schema.ts";
import { isUuid } from "./uuid.ts";
import type { WakeWriter, WakingTransaction } from "./wake.ts";

export function postgresRuns(db: Kysely<Database>, writer: WakeWriter): Runs {
  return {
    async create(run) {
      const known = await byKey(db, run);
      if (known) return known;
      try {
        return await writer.transaction(async (transaction) => await insertRun(transaction, run));
      } catch (error) {
        // Someone else was first with the same key.
        const twin = isUniqueViolation(error, "runs_idempotency") ? await byKey(db, run) : undefined;
        if (twin) return twin;
        throw error;
      }
    },

    async get(ownerId, runId) {
      if (!isUuid(runId)) return undefined;
      const row = await db.selectFrom("runs").selectAll().where("id", "=", runId).where("owner_id", "=", ownerId).executeTakeFirst();
      return row && toRunView(row);
    },

    async list(ownerId, { status, limit, before }) {
      let query = db.selectFrom("runs").selectAll().where("owner_id", "=", ownerId);
      if (status) query = query.where("status", "=", status);
      if (before !== undefined) {
        if (!isUuid(before)) return [];
        query = query.where((eb) => eb(eb.refTuple("created_at", "id"), "<", eb.selectFrom("runs").select(["created_at", "id"]).where("id", "=", before).where("owner_id", "=", ownerId).$asTuple("created_at", "id")));
      }
      const rows = await query
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(limit ?? 50)
        .execute();
      return rows.map(toRunView);
    },

    async events(ownerId, runId, afterSeq, limit = 1_000): Promise<RunEvent[]> {
      if (!isUuid(runId)) return [];
      const rows = await db.selectFrom("run_events").selectAll().where("run_id", "=", runId).where("owner_id", "=", ownerId).where("seq", ">", afterSeq).orderBy("seq").limit(limit).execute();
      return rows.map(toRunEvent);
    },

    async counts(ownerId) {
      const rows = await db
        .selectFrom("runs")
        .select((eb) => ["status", eb.fn.countAll<number>().as("runs")])
        .where("owner_id", "=", ownerId)
        .groupBy("status")
        .execute();
      return Object.fromEntries(rows.map(({ status, runs }) => [status, Number(runs)]));
    },

    async actions(ownerId, runId) {
      if (!isUuid(runId)) return [];
      const rows = await db.selectFrom("actions").selectAll().where("run_id", "=", runId).where("owner_id", "=", ownerId).orderBy("step").orderBy("created_at").orderBy("id").execute();
      return rows.map(toActionView);
    },

    async effects(ownerId, runId) {
      if (!isUuid(runId)) return [];
      const rows = await db.selectFrom("effects").selectAll().where("run_id", "=", runId).where("owner_id", "=", ownerId).orderBy("created_at").execute();
      return rows.map(toEffectView);
    },

    async requestCancel(ownerId, runId, reason) {
      const root = await this.get(ownerId, runId);
      if (!root) throw new BronError("not_found", `There is no run ${runId}.`);
      return await writer.transaction(async (transaction) => await cancelTree(transaction, ownerId, runId, reason));
    },
  };
}

async function byKey(db: Kysely<Database>, run: NewRun) {
  if (run.idempotencyKey === undefined) return undefined;
  const row = await db.selectFrom("runs").selectAll().where("owner_id", "=", run.ownerId).where("idempotency_key", "=", run.idempotencyKey).executeTakeFirst();
  if (row && row.prompt !== cleanText(run.input.prompt)) throw new BronError("conflict", "This idempotency key belongs to a run with another task.");
  return row && toRunView(row);
}

async function insertRun({ db, wake }: WakingTransaction, run: NewRun) {
  const { ownerId, input } = run;
  const prompt = cleanText(input.prompt);
  const thread = await ensureThread(db, ownerId, { ...(input.bronId ? { bronId: input.bronId } : {}), ...(input.threadId ? { threadId: input.threadId } : {}) });
  if (run.parentRunId !== undefined && !isUuid(run.parentRunId)) throw new BronError("not_found", `There is no run ${run.parentRunId}.`);
  if (run.parentRunId !== undefined) await refuseUnderStopped(db, ownerId, run.parentRunId);
  const delayMs = input.delayMs ?? 0;
  const id = randomUUID();
  const row = await db
    .insertInto("runs")
    .values({
      id,
      owner_id: ownerId,
      bron_id: thread.bron_id,
      thread_id: thread.id,
      parent_run_id: run.parentRunId ?? null,
      title: cleanText(run.title),
      prompt,
      attached_context: toJson(input.attachedContext ?? []),
      caps: toJson(run.caps),
      idempotency_key: run.idempotencyKey ?? null,
      status: "queued",
      log_version: logVersion,
      last_seq: 2,
      runnable: true,
      wakes: 1,
      // Whoever wakes it also starts it; sweepers leave it alone for a moment.
      swept_at: sql<Date>`clock_timestamp()`,
      wake_at: delayMs > 0 ? sql<Date>`clock_timestamp() + ${delayMs} * interval '1 millisecond'` : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await db
    .insertInto("run_events")
    .values([
      { run_id: id, seq: 1, owner_id: ownerId, type: "status", payload: toJson({ status: "queued" }) },
      { run_id: id, seq: 2, owner_id: ownerId, type: "message", payload: toJson({ role: "user", content: prompt }) },
    ])
    .execute();
  await db.insertInto("bron_messages").values({ owner_id: ownerId, bron_id: thread.bron_id, thread_id: thread.id, run_id: id, role: "user", content: prompt }).execute();
  await wake({ runId: id, ownerId, wake: 1, delayMs, held: false });
  return toRunView(row);
}

/** The parent's row is locked, so that a stop either sees this child or is seen by it. */
async function refuseUnderStopped(db: Kysely<Database>, ownerId: string, parentRunId: string): Promise<void> {
  const parent = await db.selectFrom("runs").select(["cancel_requested_at", "status"]).where("id", "=", parentRunId).where("owner_id", "=", ownerId).forUpdate().executeTakeFirst();
  if (!parent) throw new BronError("not_found", `There is no run ${parentRunId}.`);
  if (parent.cancel_requested_at || ["completed", "failed", "canceled"].includes(parent.status)) throw new BronError("conflict", "The parent run has been stopped.");
}

/**
 * Marks a run and all below it. Rows are locked as they are marked, and the tree is walked again until a walk finds
 * nothing new: a child that was being made meanwhile is found by the next walk, and no further one can be made.
 */
async function cancelTree({ db, appendAndWake }: WakingTransaction, ownerId: string, runId: string, reason: string | undefined): Promise<boolean> {
  const seen = new Set<string>();
  let stopped = false;
  for (;;) {
    const { rows } = await sql<{ id: string }>`
      with recursive tree as (
        select id from runs where id = ${runId} and owner_id = ${ownerId}
        union all select r.id from runs r join tree t on r.parent_run_id = t.id where r.owner_id = ${ownerId}
      ) select id from tree order by id`.execute(db);
    const fresh = rows.filter(({ id }) => !seen.has(id));
    if (fresh.length === 0) return stopped;
    for (const { id } of fresh) {
      seen.add(id);
      const marked = await db
        .updateTable("runs")
        .set({ cancel_requested_at: sql<Date>`clock_timestamp()` })
        .where("id", "=", id)
        .where("owner_id", "=", ownerId)
        .where("status", "not in", ["completed", "failed", "canceled"])
        .where("cancel_requested_at", "is", null)
        .executeTakeFirst();
      if (marked.numUpdatedRows > 0n) {
        await appendAndWake(ownerId, id, [{ type: "cancel", payload: { by: ownerId, ...(reason === undefined ? {} : { reason }) } }]);
        if (id === runId) stopped = true;
      }
    }
  }
}

function isUniqueViolation(error: unknown, constraint: string): boolean {
  const { code, constraint: name } = error as { code?: string; constraint?: string };
  return code === "23505" && name === constraint;
}
