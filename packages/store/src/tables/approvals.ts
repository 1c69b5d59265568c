import {
  BronError,
  closingError,
  closingOf,
  undoing,
  type Approvals,
  type Closing,
} from "@bron/core";
import { isUuid, omitUndefined, type ApprovalView } from "@bron/protocol";
import type { Kysely } from "kysely";
import { closeApproval, expireDueApprovals } from "./close-approval.ts";
import { inList } from "./in-list.ts";
import { toApprovalView } from "./rows.ts";
import type { Database } from "../database/schema.ts";
import type { WakeWriter } from "../runs/wake.ts";

export function postgresApprovals(db: Kysely<Database>, writer: WakeWriter): Approvals {
  const deps = { db, writer };
  return {
    async get(ownerId, approvalId) {
      if (!isUuid(approvalId)) return undefined;
      const row = await select(db, ownerId)
        .where("approvals.id", "=", approvalId)
        .executeTakeFirst();
      return row && toApprovalView(row);
    },

    async list(ownerId, { pendingOnly, limit = 500, ...filter }) {
      const condition = inList("approvals", ownerId, filter);
      if (!condition) return [];
      let query = select(db, ownerId).where(condition);
      if (pendingOnly === true) query = query.where("approvals.state", "=", "pending");
      const rows = await query
        .orderBy("approvals.created_at")
        .orderBy("approvals.id")
        .limit(limit)
        .execute();
      return rows.map(toApprovalView);
    },

    async decide(choice) {
      const { approved, digest, tokenHash } = choice;
      return await closeApproval(deps, choice, {
        closing: closingOf(choice),
        digest,
        ...omitUndefined({ tokenHash: approved ? tokenHash : undefined }),
      });
    },

    async edit({ changes, program, ...seen }) {
      const closing: Closing = {
        state: "superseded",
        edit: changes,
        ...omitUndefined({ program }),
      };
      return await closeApproval(deps, seen, { closing, digest: seen.digest });
    },

    async undo(ownerId, approvalId) {
      return await closeApproval(deps, { ownerId, approvalId }, (state) => ({
        closing: undoing(state),
      }));
    },

    snooze: (ownerId, approvalId, until) => snoozeApproval(db, { ownerId, approvalId }, until),

    async usedTokenHash(ownerId, approvalId) {
      const row = await db
        .selectFrom("approvals")
        .select("token_hash")
        .where("id", "=", approvalId)
        .where("owner_id", "=", ownerId)
        .where("state", "=", "used")
        .executeTakeFirst();
      return row?.token_hash ?? undefined;
    },

    expireDue: () => expireDueApprovals(db, writer),
  };
}

function select(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom("approvals")
    .innerJoin("effects", "effects.id", "approvals.effect_id")
    .selectAll("approvals")
    .leftJoin("actions", (join) =>
      join
        .onRef("actions.run_id", "=", "approvals.run_id")
        .onRef("actions.id", "=", "approvals.action_id"),
    )
    .select(["effects.prepared", "actions.step"])
    .where("approvals.owner_id", "=", ownerId);
}

async function snoozeApproval(
  db: Kysely<Database>,
  { ownerId, approvalId }: { readonly ownerId: string; readonly approvalId: string },
  until: number | undefined,
): Promise<ApprovalView> {
  const find = () =>
    isUuid(approvalId)
      ? select(db, ownerId).where("approvals.id", "=", approvalId).executeTakeFirst()
      : undefined;
  const snoozed =
    isUuid(approvalId) &&
    (await db
      .updateTable("approvals")
      .set({ snoozed_until: until === undefined ? null : new Date(until) })
      .where("id", "=", approvalId)
      .where("owner_id", "=", ownerId)
      .where("state", "=", "pending")
      .returning("id")
      .executeTakeFirst());
  const row = await find();
  if (!row) throw new BronError("not_found", `Approval ${approvalId} not found.`);
  const view = toApprovalView(row);
  if (!snoozed) throw closingError("closed", view);
  return view;
}
