import { BronError, cleanText, unreachable, type Approvals, type Decision } from "@bron/core";
import { type ApprovalView, type JsonObject, isUuid } from "@bron/protocol";
import { sql, type Kysely } from "kysely";
import { toJson } from "./database.ts";
import { toApprovalView } from "./rows.ts";
import { uuidRange } from "./uuid-range.ts";
import type { Database } from "./schema.ts";
import type { WakeWriter } from "./wake.ts";

export function postgresApprovals(db: Kysely<Database>, writer: WakeWriter): Approvals {
  return {
    async get(ownerId, approvalId) {
      if (!isUuid(approvalId)) return undefined;
      const row = await select(db, ownerId)
        .where("approvals.id", "=", approvalId)
        .executeTakeFirst();
      return row && toApprovalView(row);
    },

    async list(ownerId, { runId, pendingOnly, idPrefix, limit = 500, after }) {
      let query = select(db, ownerId);
      if (idPrefix !== undefined) {
        const range = uuidRange(idPrefix);
        if (!range) return [];
        query = query
          .where("approvals.id", ">=", range.first)
          .where("approvals.id", "<=", range.last);
      }
      if (runId !== undefined) {
        if (!isUuid(runId)) return [];
        // One array instead of two conditions with `or`, for which no index could be used.
        query = query.where(
          sql<boolean>`approvals.run_id = any (array(select ${runId}::uuid union all select id from runs where parent_run_id = ${runId}))`,
        );
      }
      if (pendingOnly === true) query = query.where("approvals.state", "=", "pending");
      if (after !== undefined) {
        if (!isUuid(after)) return [];
        query = query.where(
          sql<boolean>`(approvals.created_at, approvals.id) > (select last.created_at, last.id from approvals last where last.id = ${after} and last.owner_id = ${ownerId})`,
        );
      }
      const rows = await query
        .orderBy("approvals.created_at")
        .orderBy("approvals.id")
        .limit(limit)
        .execute();
      return rows.map(toApprovalView);
    },

    async decide(decision) {
      return await decide(writer, decision);
    },

    async edit({ ownerId, approvalId, digest, changes }) {
      return await closeApproval(writer, {
        ownerId,
        approvalId,
        digest,
        state: "superseded",
        details: { edit: changes },
      });
    },

    async undo(ownerId, approvalId) {
      return await closeApproval(writer, {
        ownerId,
        approvalId,
        state: "denied",
        details: { undone: true },
      });
    },

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

    async expireDue() {
      const due = await db
        .selectFrom("approvals")
        .select(["id", "owner_id"])
        .where("state", "=", "pending")
        .where("expires_at", "<=", sql<Date>`clock_timestamp()`)
        .limit(100)
        .execute();
      let expired = 0;
      for (const { id, owner_id: ownerId } of due) {
        // An approval that cannot be expired now must not block the others.
        const closed = await runCloseStatement(writer, {
          ownerId,
          approvalId: id,
          state: "expired",
        }).catch(() => undefined);
        if (closed?.outcome === "done") expired++;
      }
      return expired;
    },
  };
}

function select(db: Kysely<Database>, ownerId: string) {
  return db
    .selectFrom("approvals")
    .innerJoin("effects", "effects.id", "approvals.effect_id")
    .selectAll("approvals")
    .select("effects.prepared")
    .where("approvals.owner_id", "=", ownerId);
}

interface CloseRequest {
  readonly ownerId: string;
  readonly approvalId: string;
  /** The digest of the content that the person saw. */
  readonly digest?: string;
  readonly state: "approved" | "denied" | "expired" | "superseded";
  readonly reason?: string | undefined;
  readonly tokenHash?: string | undefined;
  /** Further details of the decision, as `close_approval` takes them. */
  readonly details?: {
    readonly edit?: JsonObject;
    readonly answer?: string;
    readonly undone?: true;
    readonly undoMs?: number;
  };
}

type Row = Parameters<typeof toApprovalView>[0];
type ClosedRow = Omit<Row, "created_at" | "expires_at" | "decided_at" | "undo_until"> & {
  created_at: string;
  expires_at: string;
  decided_at: string | null;
  undo_until: string | null;
};

interface CloseRow {
  readonly outcome:
    | "done"
    | "not_found"
    | "closed"
    | "due"
    | "not_due"
    | "late"
    | "mismatch"
    | "over";
  readonly view: ClosedRow;
  readonly wake: number | null;
  readonly held: boolean;
}

/**
 * Decides the approval, writes the log and the audit log, and wakes the run, in one round trip.
 * Changes nothing if the approval can no longer be decided.
 */
async function runCloseStatement(
  writer: WakeWriter,
  { ownerId, approvalId, digest, state, reason, tokenHash, details = {} }: CloseRequest,
): Promise<CloseRow> {
  return await writer.statement(async (client) => {
    const values = [
      ownerId,
      approvalId,
      digest ?? null,
      state,
      state === "expired" ? null : ownerId,
      reason ?? null,
      tokenHash ?? null,
      toJson(details),
    ];
    const { rows } = await client.query<CloseRow>({
      name: "bron-close-approval-2",
      text: "select * from close_approval($1, $2, $3, $4, $5, $6, $7, $8)",
      values,
    });
    const row = rows[0];
    if (!row) throw new BronError("internal", "Closing an approval returned no row");
    return row.wake === null
      ? { result: row }
      : {
          result: row,
          wake: { runId: row.view.run_id, ownerId, wake: row.wake, delayMs: 0, held: row.held },
        };
  });
}

async function decide(
  writer: WakeWriter,
  { ownerId, approvalId, digest, approved, reason, tokenHash, undoMs = 0, reply }: Decision,
): Promise<ApprovalView> {
  const details = {
    ...(approved && undoMs > 0 ? { undoMs } : {}),
    ...(!approved && reply !== undefined ? { answer: reply } : {}),
  };
  return await closeApproval(writer, {
    ownerId,
    approvalId,
    digest,
    state: approved ? "approved" : "denied",
    reason: reason === undefined ? undefined : cleanText(reason),
    tokenHash: approved ? tokenHash : undefined,
    details,
  });
}

/** Closes an approval for the owner. Throws if it comes too late or if the content has changed. */
async function closeApproval(writer: WakeWriter, request: CloseRequest): Promise<ApprovalView> {
  const { approvalId } = request;
  const notFound = () => new BronError("not_found", `Approval ${approvalId} not found.`);
  if (!isUuid(approvalId)) throw notFound();
  const { outcome, view } = await runCloseStatement(writer, request);
  switch (outcome) {
    case "done":
      return toApprovalView(fromJson(view));
    case "not_found":
      throw notFound();
    case "closed":
      throw new BronError(
        "approval_closed",
        `This approval is ${view.state === "used" ? "already used" : view.state}.`,
        { details: { state: view.state } },
      );
    case "due":
      throw new BronError("approval_closed", "This approval has expired.", {
        details: { state: "expired" },
      });
    case "late":
      throw new BronError("approval_closed", "Too late to undo.", {
        details: { state: view.state },
      });
    case "mismatch":
      throw new BronError("digest_mismatch", "The content changed since you reviewed it.", {
        details: { digest: view.digest },
      });
    case "over":
      throw new BronError("approval_closed", "This task has ended.");
    case "not_due":
      throw new BronError("internal", "Only an expiry can be not due yet");
    default:
      return unreachable(outcome);
  }
}

function fromJson({ created_at, expires_at, decided_at, undo_until, ...rest }: ClosedRow): Row {
  const date = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ...rest,
    created_at: new Date(created_at),
    expires_at: new Date(expires_at),
    decided_at: date(decided_at),
    undo_until: date(undo_until),
  };
}
