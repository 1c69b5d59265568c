import {
  BronError,
  checkQuestionClosing,
  questionClosingEvent,
  type QuestionClosing,
  type Questions,
} from "@bron/core";
import { isUuid, type QuestionView } from "@bron/protocol";
import { sql, type Kysely } from "kysely";
import { inList } from "./in-list.ts";
import { toQuestionView } from "./rows.ts";
import type { Database } from "../database/schema.ts";
import type { WakeWriter, WakingTransaction } from "../runs/wake.ts";

export function postgresQuestions(db: Kysely<Database>, writer: WakeWriter): Questions {
  return {
    async get(ownerId, questionId) {
      if (!isUuid(questionId)) return undefined;
      const row = await select(db, ownerId).where("id", "=", questionId).executeTakeFirst();
      return row && toQuestionView(row);
    },

    async list(ownerId, { pendingOnly, limit = 500, ...filter }) {
      const condition = inList("questions", ownerId, filter);
      if (!condition) return [];
      let query = select(db, ownerId).where(condition);
      if (pendingOnly === true) query = query.where("state", "=", "pending");
      const rows = await query.orderBy("created_at").orderBy("id").limit(limit).execute();
      return rows.map(toQuestionView);
    },

    async answer(ownerId, questionId, answer) {
      const closed = isUuid(questionId)
        ? await writer.transaction((transaction) =>
            close(transaction, { ownerId, questionId }, answer),
          )
        : undefined;
      if (!closed) throw new BronError("not_found", `Question ${questionId} not found.`);
      return closed;
    },

    async expireDue() {
      const due = await db
        .selectFrom("questions")
        .innerJoin("runs", "runs.id", "questions.run_id")
        .select(["questions.id as questionId", "questions.owner_id as ownerId"])
        .where("questions.state", "=", "pending")
        .where("questions.expires_at", "<=", sql<Date>`clock_timestamp()`)
        .where("runs.finished_at", "is", null)
        .limit(100)
        .execute();
      let expired = 0;
      for (const question of due) {
        // A question that cannot be expired now must not block the others.
        const closed = await writer
          .transaction((transaction) => close(transaction, question, "expired"))
          .catch(() => undefined);
        if (closed) expired++;
      }
      return expired;
    },
  };
}

function select(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom("questions").selectAll().where("owner_id", "=", ownerId);
}

/**
 * Closes a question, writes the log and wakes the run. Locks the run's row before it reads the
 * question, so that the holder of the run either sees the answer or comes after it.
 */
async function close(
  { db, appendAndWake }: WakingTransaction,
  { ownerId, questionId }: { readonly ownerId: string; readonly questionId: string },
  closing: QuestionClosing,
): Promise<QuestionView | undefined> {
  const run = await db
    .selectFrom("runs")
    .select(["id", "status", sql<Date>`clock_timestamp()`.as("now")])
    .where("owner_id", "=", ownerId)
    .where("id", "=", (inner) =>
      inner.selectFrom("questions").select("run_id").where("id", "=", questionId),
    )
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (!run) return undefined;
  const question = toQuestionView(
    await select(db, ownerId).where("id", "=", questionId).executeTakeFirstOrThrow(),
  );
  checkQuestionClosing({ question, closing, runStatus: run.status, now: run.now.getTime() });
  const event = questionClosingEvent(question, closing, ownerId);
  const { state, typed, choice } = event.payload;
  await appendAndWake(ownerId, run.id, [event]);
  const row = await db
    .updateTable("questions")
    .set({ state, answer: typed ?? choice ?? null, answered_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", questionId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toQuestionView(row);
}
