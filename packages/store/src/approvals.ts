import { BronError, type Approvals, type Decision } from "@bron/core";
import type { NewEvent } from "@bron/protocol";
import { sql, type Kysely } from "kysely";
import { toJson } from "./database.ts";
import { toApprovalView } from "./rows.ts";
import { isUuid } from "./uuid.ts";
import type { Database } from "./schema.ts";
import type { WakeWriter, WakingTransaction } from "./wake.ts";

export function postgresApprovals(db: Kysely<Database>, writer: WakeWriter): Approvals {
  return {
    async get(ownerId, approvalId) {
      if (!isUuid(approvalId)) return undefined;
      const row = await select(db, ownerId).where("approvals.id", "=", approvalId).executeTakeFirst();
      return row && toApprovalView(row);
    },

    async list(ownerId, { runId, pendingOnly }) {
      let query = select(db, ownerId);
      if (runId !== undefined) query = isUuid(runId) ? query.where("approvals.run_id", "=", runId) : query.where(sql<boolean>`false`);
      if (pendingOnly === true) query = query.where("approvals.state", "=", "pending");
      const rows = await query.orderBy("approvals.created_at").limit(500).execute();
      return rows.map(toApprovalView);
    },

    async decide(decision) {
      return await writer.transaction(async (transaction) => await decide(transaction, decision));
    },

    async expireDue() {
      const due = await db.selectFrom("approvals").select(["id", "owner_id"]).where("state", "=", "pending").where("expires_at", "<=", sql<Date>`clock_timestamp()`).limit(100).execute();
      let expired = 0;
      for (const { id, owner_id: ownerId } of due) {
        // One that cannot be expired now must not keep the others.
        const done = await writer.transaction(async (transaction) => await expire(transaction, ownerId, id)).catch(() => false);
        if (done) expired++;
      }
      return expired;
    },
  };
}

function select(db: Kysely<Database>, ownerId: string) {
  return db.selectFrom("approvals").innerJoin("effects", "effects.id", "approvals.effect_id").selectAll("approvals").select("effects.prepared").where("approvals.owner_id", "=", ownerId);
}

/** The run's row is locked before the approval is looked at: whoever holds the run sees the decision or comes after it. */
async function lock({ db }: WakingTransaction, ownerId: string, approvalId: string) {
  const found = isUuid(approvalId) ? await db.selectFrom("approvals").select("run_id").where("id", "=", approvalId).where("owner_id", "=", ownerId).executeTakeFirst() : undefined;
  if (!found) return undefined;
  await db.selectFrom("runs").select("id").where("id", "=", found.run_id).where("owner_id", "=", ownerId).forUpdate().execute();
  const row = await select(db, ownerId)
    .select(sql<boolean>`approvals.expires_at <= clock_timestamp()`.as("due"))
    .where("approvals.id", "=", approvalId)
    .executeTakeFirstOrThrow();
  return { ...toApprovalView(row), due: row.due };
}

async function decide(transaction: WakingTransaction, decision: Decision) {
  const { ownerId, approvalId, approved, reason } = decision;
  const approval = await lock(transaction, ownerId, approvalId);
  if (!approval) throw new BronError("not_found", `There is no approval ${approvalId}.`);
  if (approval.state !== "pending") throw new BronError("approval_closed", `This approval is ${approval.state === "used" ? "already used" : approval.state}.`, { details: { state: approval.state } });
  if (approval.due) throw new BronError("approval_closed", "This approval has expired.", { details: { state: "expired" } });
  if (approval.digest !== decision.digest) throw new BronError("digest_mismatch", "What you saw is not what would be done now.", { details: { digest: approval.digest } });
  const state = approved ? ("approved" as const) : ("denied" as const);
  await close(transaction, approval, { ownerId, state, reason });
  const row = await select(transaction.db, ownerId).where("approvals.id", "=", approvalId).executeTakeFirstOrThrow();
  return toApprovalView(row);
}

async function expire(transaction: WakingTransaction, ownerId: string, approvalId: string): Promise<boolean> {
  const approval = await lock(transaction, ownerId, approvalId);
  if (approval?.state !== "pending" || !approval.due) return false;
  await close(transaction, approval, { ownerId, state: "expired", reason: undefined });
  return true;
}

type Locked = NonNullable<Awaited<ReturnType<typeof lock>>>;

interface Closing {
  readonly ownerId: string;
  readonly state: "approved" | "denied" | "expired";
  readonly reason: string | undefined;
}

async function close(transaction: WakingTransaction, approval: Locked, { ownerId, state, reason }: Closing): Promise<void> {
  const { id, runId, actionId, effectId, tool, digest } = approval;
  await transaction.db
    .updateTable("approvals")
    .set({ state, decision_reason: reason ?? null, decided_at: sql<Date>`clock_timestamp()` })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("state", "=", "pending")
    .execute();
  const event: NewEvent = { type: "approval", payload: { approvalId: id, actionId, effectId, tool, digest, state, ...(state === "expired" ? {} : { by: ownerId }), ...(reason === undefined ? {} : { reason }) } };
  const woken = await transaction.appendAndWake(ownerId, runId, [event]);
  // Nothing more can be decided in a run that is over; that it expired is still true.
  if (!woken && state !== "expired") throw new BronError("approval_closed", "The run is over.");
  await sql`insert into audit (owner_id, run_id, kind, tool, action_id, effect_id, digest, detail)
            values (${ownerId}, ${runId}, ${`approval.${state}`}, ${tool}, ${actionId}, ${effectId}, ${digest}, ${toJson({ ...(state === "expired" ? {} : { by: ownerId }), ...(reason === undefined ? {} : { reason }) })}::jsonb)`.execute(transaction.db);
}
