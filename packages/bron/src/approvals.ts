import { BronError, cleanText, type Approvals, type Sign } from "@bron/core";
import type { ApprovalView } from "@bron/protocol";
import { createHash } from "node:crypto";

export interface BronApprovals {
  get(ownerId: string, approvalId: string): Promise<ApprovalView>;
  list(ownerId: string, options?: { runId?: string; pendingOnly?: boolean }): Promise<ApprovalView[]>;
  /** `digest` is that of what the person saw. Throws digest_mismatch, approval_closed or not_found. */
  approve(ownerId: string, approvalId: string, digest: string): Promise<ApprovalView>;
  deny(ownerId: string, approvalId: string, digest: string, reason?: string): Promise<ApprovalView>;
}

/** The one-time token of an approval: whoever carries it out makes it again, and only its hash is stored. */
export function approvalTokenHash(sign: Sign, approvalId: string, digest: string): string {
  return createHash("sha256").update(sign("approval-token", `${approvalId}\n${digest}`)).digest("hex");
}

export function createApprovals(approvals: Approvals, sign: Sign): BronApprovals {
  return {
    async get(ownerId, approvalId) {
      const approval = await approvals.get(ownerId, approvalId);
      if (!approval) throw new BronError("not_found", `There is no approval ${approvalId}.`);
      return approval;
    },
    list: (ownerId, options = {}) => approvals.list(ownerId, options),
    approve: (ownerId, approvalId, digest) => approvals.decide({ ownerId, approvalId, digest, approved: true, tokenHash: approvalTokenHash(sign, approvalId, digest) }),
    deny: (ownerId, approvalId, digest, reason) => approvals.decide({ ownerId, approvalId, digest, approved: false, ...(reason === undefined ? {} : { reason: cleanText(reason) }) }),
  };
}
