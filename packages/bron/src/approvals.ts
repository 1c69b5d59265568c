import { BronError, cleanText, type Approvals } from "@bron/core";
import type { ApprovalView } from "@bron/protocol";

export interface BronApprovals {
  get(ownerId: string, approvalId: string): Promise<ApprovalView>;
  list(ownerId: string, options?: { runId?: string; pendingOnly?: boolean }): Promise<ApprovalView[]>;
  /** `digest` is that of what the person saw. Throws digest_mismatch, approval_closed or not_found. */
  approve(ownerId: string, approvalId: string, digest: string): Promise<ApprovalView>;
  deny(ownerId: string, approvalId: string, digest: string, reason?: string): Promise<ApprovalView>;
}

export function createApprovals(approvals: Approvals): BronApprovals {
  return {
    async get(ownerId, approvalId) {
      const approval = await approvals.get(ownerId, approvalId);
      if (!approval) throw new BronError("not_found", `There is no approval ${approvalId}.`);
      return approval;
    },
    list: (ownerId, options = {}) => approvals.list(ownerId, options),
    approve: (ownerId, approvalId, digest) => approvals.decide({ ownerId, approvalId, digest, approved: true }),
    deny: (ownerId, approvalId, digest, reason) => approvals.decide({ ownerId, approvalId, digest, approved: false, ...(reason === undefined ? {} : { reason: cleanText(reason) }) }),
  };
}
