import {
  auditEntries,
  BronError,
  closingError,
  closingEvent,
  type Closing,
  type ClosingOutcome,
} from "@bron/core";
import { isUuid, type ApprovalView } from "@bron/protocol";
import { sql, type Kysely, type Selectable } from "kysely";
import { toJson } from "../database/database.ts";
import type { Database } from "../database/schema.ts";
import type { WakeWriter } from "../runs/wake.ts";
import { toApprovalView } from "./rows.ts";

/** Closes an approval for the owner. Throws if it comes too late or if the content has changed. */
export async function closeApproval(
  { db, writer }: { readonly db: Kysely<Database>; readonly writer: WakeWriter },
  { ownerId, approvalId }: { readonly ownerId: string; readonly approvalId: string },
  request: CloseRequest | ((state: ApprovalView["state"]) => CloseRequest),
): Promise<ApprovalView> {
  const approval = isUuid(approvalId)
    ? await db
        .selectFrom("approvals")
        .select([...closedColumns, "state"])
        .where("id", "=", approvalId)
        .where("owner_id", "=", ownerId)
        .executeTakeFirst()
    : undefined;
  const closed =
    approval &&
    (await runCloseStatement(
      writer,
      approval,
      typeof request === "function" ? request(approval.state) : request,
    ));
  if (!closed || closed.outcome === "not_found")
    throw new BronError("not_found", `Approval ${approvalId} not found.`);
  const { outcome, view } = closed;
  if (outcome !== "done") throw closingError(outcome, view);
  return toApprovalView(fromJson(view));
}

/** Returns how many it closed. */
export async function expireDueApprovals(
  db: Kysely<Database>,
  writer: WakeWriter,
): Promise<number> {
  const due = await db
    .selectFrom("approvals")
    .select(closedColumns)
    .where("state", "=", "pending")
    .where("expires_at", "<=", sql<Date>`clock_timestamp()`)
    .limit(100)
    .execute();
  let expired = 0;
  for (const approval of due) {
    // An approval that cannot be expired now must not block the others.
    const closed = await runCloseStatement(writer, approval, {
      closing: { state: "expired" },
    }).catch(() => undefined);
    if (closed?.outcome === "done") expired++;
  }
  return expired;
}

/** What the event and the audit entry need. These columns never change. */
const closedColumns = ["id", "owner_id", "action_id", "effect_id", "tool", "digest"] as const;
type ClosedApproval = Pick<Selectable<Database["approvals"]>, (typeof closedColumns)[number]>;

interface CloseRequest {
  readonly closing: Closing;
  /** The digest of the content that the person saw. */
  readonly digest?: string;
  readonly tokenHash?: string;
}

type Row = Parameters<typeof toApprovalView>[0];
type TimeColumn =
  | "created_at"
  | "expires_at"
  | "decided_at"
  | "undo_until"
  | "reopen_until"
  | "snoozed_until";
type ClosedRow = Omit<Row, TimeColumn> & {
  created_at: string;
  expires_at: string;
  decided_at: string | null;
  undo_until: string | null;
  reopen_until: string | null;
  snoozed_until: string | null;
};

interface CloseRow {
  readonly outcome: ClosingOutcome | "not_found";
  readonly view: ClosedRow;
  readonly wake: number | null;
  readonly held: boolean;
}

/**
 * Closes the approval, writes the log and the audit log, and wakes the run, in one statement.
 * Changes nothing if the approval can no longer be closed in this way.
 */
async function runCloseStatement(
  writer: WakeWriter,
  { owner_id: ownerId, action_id: actionId, effect_id: effectId, ...approval }: ClosedApproval,
  { closing, digest, tokenHash }: CloseRequest,
): Promise<CloseRow> {
  const event = closingEvent({ ...approval, actionId, effectId }, closing, ownerId);
  const [entry] = auditEntries([event]);
  return await writer.statement(async (client) => {
    const { rows } = await client.query<CloseRow>({
      name: "bron-close-approval-3",
      text: "select * from close_approval($1, $2, $3, $4, $5)",
      values: [
        ownerId,
        approval.id,
        toJson({ ...closing, digest, tokenHash }),
        toJson(event),
        toJson(entry),
      ],
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

function fromJson(closed: ClosedRow): Row {
  const { created_at, expires_at, decided_at, undo_until, reopen_until, snoozed_until, ...rest } =
    closed;
  const date = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ...rest,
    created_at: new Date(created_at),
    expires_at: new Date(expires_at),
    decided_at: date(decided_at),
    undo_until: date(undo_until),
    reopen_until: date(reopen_until),
    snoozed_until: date(snoozed_until),
  };
}
