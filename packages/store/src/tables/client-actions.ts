import {
  BronError,
  expiryEvent,
  finishEvent,
  takeEvent,
  type ClientActionMoment,
  type ClientActionRef,
  type ClientActionRow,
  type ClientActions,
} from "@bron/core";
import { isUuid, type ClientActionView, type NewEvent } from "@bron/protocol";
import { sql, type Kysely } from "kysely";
import { inList } from "./in-list.ts";
import { toClientActionRow, toClientActionView } from "./rows.ts";
import type { Database } from "../database/schema.ts";
import type { WakeWriter, WakingTransaction } from "../runs/wake.ts";

export function postgresClientActions(db: Kysely<Database>, writer: WakeWriter): ClientActions {
  const changeOrThrow = async (ownerId: string, ref: ClientActionRef, eventFor: EventFor) => {
    const changed =
      isUuid(ref.runId) && isUuid(ref.actionId)
        ? await writer.transaction((transaction) => change(transaction, ownerId, ref, eventFor))
        : undefined;
    if (!changed) throw new BronError("not_found", `Action ${ref.actionId} not found.`);
    return changed;
  };
  return {
    async get(ownerId, { runId, actionId }) {
      if (!isUuid(runId) || !isUuid(actionId)) return undefined;
      const row = await select(db, ownerId)
        .where("id", "=", actionId)
        .where("run_id", "=", runId)
        .executeTakeFirst();
      return row && toClientActionView(row);
    },

    async list(ownerId, { openOnly, limit = 500, ...filter }) {
      const condition = inList("client_actions", ownerId, filter);
      if (!condition) return [];
      let query = select(db, ownerId).where(condition);
      if (openOnly === true) query = query.where("state", "in", ["pending", "taken"]);
      const rows = await query.orderBy("created_at").orderBy("id").limit(limit).execute();
      return rows.map(toClientActionView);
    },

    take: (ownerId, { takenBy, ...ref }) =>
      changeOrThrow(ownerId, ref, (action, moment) => takeEvent(action, takenBy, moment)),

    finish: (ownerId, { runId, actionId, ...report }) =>
      changeOrThrow(ownerId, { runId, actionId }, (action, moment) =>
        finishEvent(action, report, moment),
      ),

    async expireDue() {
      const due = await db
        .selectFrom("client_actions")
        .innerJoin("runs", "runs.id", "client_actions.run_id")
        .select([
          "client_actions.id as actionId",
          "client_actions.run_id as runId",
          "client_actions.owner_id as ownerId",
        ])
        .where("client_actions.state", "in", ["pending", "taken"])
        .where("client_actions.expires_at", "<=", sql<Date>`clock_timestamp()`)
        .where("runs.finished_at", "is", null)
        .limit(100)
        .execute();
      let expired = 0;
      for (const { ownerId, ...ref } of due) {
        // An action that cannot be expired now must not block the others.
        const changed = await writer
          .transaction((transaction) => change(transaction, ownerId, ref, expiryEvent))
          .catch(() => undefined);
        if (changed?.state === "expired") expired++;
      }
      return expired;
    },
  };
}

type EventFor = (action: ClientActionRow, moment: ClientActionMoment) => NewEvent | undefined;

function select(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom("client_actions").selectAll().where("owner_id", "=", ownerId);
}

/**
 * Appends what happened to an action and wakes the run. Locks the run's row before it reads the
 * action, so that the holder of the run either sees the event or comes before it. Returns undefined
 * if there is no such action.
 */
async function change(
  { db, appendAndWake }: WakingTransaction,
  ownerId: string,
  { runId, actionId }: ClientActionRef,
  eventFor: EventFor,
): Promise<ClientActionView | undefined> {
  const run = await db
    .selectFrom("runs")
    .select(["status", "cancel_requested_at", sql<Date>`clock_timestamp()`.as("now")])
    .where("id", "=", runId)
    .where("owner_id", "=", ownerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  const row =
    run &&
    (await select(db, ownerId)
      .where("id", "=", actionId)
      .where("run_id", "=", runId)
      .executeTakeFirst());
  if (!run || !row) return undefined;
  const event = eventFor(toClientActionRow(row), {
    status: run.status,
    cancelRequested: run.cancel_requested_at !== null,
    now: run.now.getTime(),
  });
  if (event?.type !== "client_action") return toClientActionView(row);
  const { state, takenBy } = event.payload;
  await appendAndWake(ownerId, runId, [event]);
  const changed = await db
    .updateTable("client_actions")
    .set({
      state,
      ...(takenBy === undefined
        ? { ended_at: sql<Date>`clock_timestamp()` }
        : { taken_by: takenBy, taken_at: sql<Date>`clock_timestamp()` }),
    })
    .where("id", "=", actionId)
    .returningAll()
    .executeTakeFirstOrThrow();
  return toClientActionView(changed);
}
