import { BronError, type Approvals, type ListApprovals } from "@bron/core";
import {
  isTerminal,
  omitUndefined,
  type ApprovalPayload,
  type ApprovalView,
  type NewEvent,
} from "@bron/protocol";
import { appendAndWake } from "./memory-appends.ts";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, type MemoryState } from "./memory-state.ts";

type ApprovalClosing = Pick<ApprovalPayload, "reason" | "edit" | "answer" | "undone"> & {
  readonly state: "approved" | "denied" | "expired" | "superseded";
  readonly undoMs?: number;
};

interface OpenApproval {
  readonly run: MemoryRun;
  readonly approval: ApprovalView;
}

export function memoryApprovals(state: MemoryState): Approvals {
  const tokenHashes = new Map<string, string>();
  return {
    get: async (ownerId, approvalId) => find(state, ownerId, approvalId)?.approval,
    list: async (ownerId, options) =>
      listApprovals(state, ownerId, options).slice(0, options.limit ?? 500),
    async decide({ approved, reason, tokenHash, undoMs, reply, ...seen }) {
      const open = requirePending(state, seen);
      if (approved && tokenHash !== undefined) tokenHashes.set(seen.approvalId, tokenHash);
      return close(
        state,
        open,
        approved
          ? { state: "approved", ...omitUndefined({ reason, undoMs }) }
          : { state: "denied", ...omitUndefined({ reason, answer: reply }) },
      );
    },
    edit: async ({ changes, ...seen }) =>
      close(state, requirePending(state, seen), { state: "superseded", edit: changes }),
    async undo(ownerId, approvalId) {
      const found = requireKnown(state, ownerId, approvalId);
      const { approval } = found;
      if (approval.state !== "approved") throw closedError(approval);
      if (approval.undoUntil === null || Date.parse(approval.undoUntil) <= state.now())
        throw new BronError("approval_closed", "Too late to undo.");
      return close(state, found, { state: "denied", undone: true });
    },
    usedTokenHash: async (ownerId, approvalId) =>
      find(state, ownerId, approvalId)?.approval.state === "used"
        ? tokenHashes.get(approvalId)
        : undefined,
    async expireDue() {
      const due = [...state.runs.values()].flatMap((run) =>
        [...run.approvals.values()]
          .filter(
            (approval) =>
              approval.state === "pending" && Date.parse(approval.expiresAt) <= state.now(),
          )
          .map((approval) => ({ run, approval })),
      );
      for (const found of due) close(state, found, { state: "expired" });
      return due.length;
    },
  };
}

/** Oldest first, without the limit. */
export function listApprovals(
  state: MemoryState,
  ownerId: string,
  { runId, pendingOnly, idPrefix = "", after }: Omit<ListApprovals, "limit">,
): ApprovalView[] {
  const all = runsOf(state, ownerId).flatMap((run) => [...run.approvals.values()]);
  return all
    .slice(after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1 || all.length)
    .filter(
      (approval) =>
        approval.id.startsWith(idPrefix) &&
        (runId === undefined ||
          approval.runId === runId ||
          state.runs.get(approval.runId)?.view.parentRunId === runId) &&
        (pendingOnly !== true || approval.state === "pending"),
    );
}

function find(state: MemoryState, ownerId: string, approvalId: string): OpenApproval | undefined {
  for (const run of runsOf(state, ownerId)) {
    const approval = run.approvals.get(approvalId);
    if (approval) return { run, approval };
  }
  return undefined;
}

function requireKnown(state: MemoryState, ownerId: string, approvalId: string): OpenApproval {
  const found = find(state, ownerId, approvalId);
  if (!found) throw new BronError("not_found", `Approval ${approvalId} not found.`);
  return found;
}

/** Returns an approval that is still pending and matches the digest that the owner saw. */
function requirePending(
  state: MemoryState,
  seen: { readonly ownerId: string; readonly approvalId: string; readonly digest: string },
): OpenApproval {
  const found = requireKnown(state, seen.ownerId, seen.approvalId);
  const { approval } = found;
  if (approval.state !== "pending") throw closedError(approval);
  if (Date.parse(approval.expiresAt) <= state.now())
    throw new BronError("approval_closed", "This approval has expired.", {
      details: { state: "expired" },
    });
  if (approval.digest !== seen.digest)
    throw new BronError("digest_mismatch", "The content changed since you reviewed it.");
  return found;
}

const closedError = ({ state }: ApprovalView) =>
  new BronError("approval_closed", `This approval is ${state}.`, { details: { state } });

/** Closes an approval by the owner's decision or by expiry. */
function close(
  state: MemoryState,
  { run, approval }: OpenApproval,
  closing: ApprovalClosing,
): ApprovalView {
  if (closing.state === "expired" && isTerminal(run.view.status))
    return expireAfterEnd(state, run, approval);
  const { state: closedAs, undoMs = 0, ...fields } = closing;
  const { id: approvalId, actionId, effectId, tool, digest } = approval;
  const undoUntil = state.now() + undoMs;
  const expiresAt = new Date(Date.parse(approval.expiresAt) + undoMs).toISOString();
  const event: NewEvent = {
    type: "approval",
    payload: {
      approvalId,
      actionId,
      effectId,
      tool,
      digest,
      state: closedAs,
      ...(closedAs === "expired" ? {} : { by: run.view.ownerId }),
      ...fields,
      ...(undoMs > 0 ? { undoUntil, expiresAt } : {}),
    },
  };
  if (!appendAndWake(state, run, [event]))
    throw new BronError("approval_closed", "The run has finished.");
  const closed: ApprovalView = {
    ...(run.approvals.get(approvalId) ?? approval),
    answer: fields.answer ?? null,
    expiresAt,
    undoUntil:
      undoMs > 0
        ? new Date(undoUntil).toISOString()
        : fields.undone === true
          ? approval.undoUntil
          : null,
  };
  run.approvals.set(approvalId, closed);
  return closed;
}

/** The log of a finished run stays unchanged, so only the row and the audit log change. */
function expireAfterEnd(state: MemoryState, run: MemoryRun, approval: ApprovalView): ApprovalView {
  const { id: approvalId, actionId, effectId, tool, digest } = approval;
  const closed: ApprovalView = { ...approval, state: "expired" };
  run.approvals.set(approvalId, closed);
  state.audit.add(run.view.ownerId, [
    {
      what: "approval.expired",
      by: "system",
      runId: run.view.id,
      actionId,
      effectId,
      approvalId,
      tool,
      digest,
    },
  ]);
  return closed;
}
