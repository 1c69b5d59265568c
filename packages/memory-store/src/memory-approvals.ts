import {
  BronError,
  closingError,
  closingEvent,
  closingOf,
  closingOutcome,
  type Approvals,
  undoing,
  type Closing,
  type ListApprovals,
} from "@bron/core";
import { isAsking, omitUndefined, type ApprovalView } from "@bron/protocol";
import { filterList } from "./filter-list.ts";
import { appendAndWake, recordEvents } from "./memory-appends.ts";
import type { MemoryRun } from "./memory-run.ts";
import { runsOf, type MemoryState } from "./memory-state.ts";

interface OpenApproval {
  readonly run: MemoryRun;
  readonly approval: ApprovalView;
}

export function memoryApprovals(state: MemoryState): Approvals {
  return {
    get: async (ownerId, approvalId) => find(state, ownerId, approvalId)?.approval,
    list: async (ownerId, options) =>
      listApprovals(state, ownerId, options).slice(0, options.limit ?? 500),
    async decide(choice) {
      const { approved, ownerId, approvalId, tokenHash } = choice;
      const closed = close(state, choice, closingOf(choice));
      if (approved && tokenHash !== undefined)
        find(state, ownerId, approvalId)?.run.tokenHashes.set(approvalId, tokenHash);
      return closed;
    },
    edit: async ({ changes, program, ...seen }) =>
      close(state, seen, { state: "superseded", edit: changes, ...omitUndefined({ program }) }),
    undo: async (ownerId, approvalId) =>
      close(
        state,
        { ownerId, approvalId },
        undoing(find(state, ownerId, approvalId)?.approval.state ?? "approved"),
      ),
    async snooze(ownerId, approvalId, until) {
      const found = find(state, ownerId, approvalId);
      if (!found) throw new BronError("not_found", `Approval ${approvalId} not found.`);
      const { run, approval } = found;
      if (approval.state !== "pending") throw closingError("closed", approval);
      const snoozedUntil = until === undefined ? null : new Date(until).toISOString();
      const snoozed = { ...approval, snoozedUntil };
      run.approvals.set(approvalId, snoozed);
      return snoozed;
    },
    async usedTokenHash(ownerId, approvalId) {
      const found = find(state, ownerId, approvalId);
      return found?.approval.state === "used" ? found.run.tokenHashes.get(approvalId) : undefined;
    },
    async expireDue() {
      const due = [...state.runs.values()].flatMap((run) =>
        [...run.approvals.values()]
          .filter(
            (approval) =>
              approval.state === "pending" && Date.parse(approval.expiresAt) <= state.now(),
          )
          .map(({ id: approvalId }) => ({ ownerId: run.view.ownerId, approvalId })),
      );
      for (const approval of due) close(state, approval, { state: "expired" });
      return due.length;
    },
  };
}

/** Oldest first, without the limit. */
export function listApprovals(
  state: MemoryState,
  ownerId: string,
  { pendingOnly, ...filter }: Omit<ListApprovals, "limit">,
): ApprovalView[] {
  const all = runsOf(state, ownerId).flatMap((run) => [...run.approvals.values()]);
  return filterList(state, all, filter).filter(
    (approval) => pendingOnly !== true || approval.state === "pending",
  );
}

/** How many wait for the owner now. */
export function countAsking(state: MemoryState, approvals: readonly ApprovalView[]): number {
  return approvals.filter((approval) => isAsking(approval, state.now())).length;
}

function find(state: MemoryState, ownerId: string, approvalId: string): OpenApproval | undefined {
  for (const run of runsOf(state, ownerId)) {
    const approval = run.approvals.get(approvalId);
    if (approval) return { run, approval };
  }
  return undefined;
}

/** Closes an approval for the owner, or because it has expired. Throws if that is not possible. */
function close(
  state: MemoryState,
  seen: { readonly ownerId: string; readonly approvalId: string; readonly digest?: string },
  closing: Closing,
): ApprovalView {
  const { ownerId, approvalId, digest: seenDigest } = seen;
  const found = find(state, ownerId, approvalId);
  if (!found) throw new BronError("not_found", `Approval ${approvalId} not found.`);
  const { run, approval } = found;
  const now = state.now();
  const runStatus = run.view.status;
  const outcome = closingOutcome({ approval, closing, runStatus, seenDigest, now });
  if (outcome !== "done") throw closingError(outcome, approval);
  const undoMs =
    closing.state === "approved" || closing.state === "denied" ? (closing.undoMs ?? 0) : 0;
  const expiresAt = new Date(Date.parse(approval.expiresAt) + undoMs).toISOString();
  const { type, payload } = closingEvent(approval, closing, ownerId);
  const until = closing.state === "approved" ? "undoUntil" : "reopenUntil";
  const times = undoMs > 0 ? { [until]: now + undoMs, expiresAt } : {};
  const event = { type, payload: { ...payload, ...times } };
  // Only an expiry gets here after the end of the run, whose log stays unchanged.
  if (!appendAndWake(state, run, [event])) {
    recordEvents(state, run, [event]);
    run.approvals.set(approvalId, { ...approval, state: closing.state });
  }
  return run.approvals.get(approvalId) ?? approval;
}
