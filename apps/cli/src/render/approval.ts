import { visible } from "@bron/protocol";
import type { ApprovalView } from "@bron/protocol";
import { shortId } from "./short-id.ts";
import { fields } from "./table.ts";
import { localTime, until } from "./time.ts";
import { indent } from "./visible.ts";

/** All of an approval, with the exact form of what would be done. */
export function describeApproval(approval: ApprovalView, now: Date): string[] {
  const { id, digest, state } = approval;
  const isPending = state === "pending";
  return [
    ...describeWhat(approval),
    "",
    ...fields([
      ["Approval", id],
      ["Run", approval.runId],
      ["State", state === "used" ? "approved and used" : state],
      ["Why", visible(approval.reason)],
      ["Digest", digest],
      ["Asked", localTime(approval.createdAt)],
      ["Expires", isPending ? `${until(approval.expiresAt, now)} (${localTime(approval.expiresAt)})` : undefined],
      ["Decided", approval.decidedAt === null ? undefined : localTime(approval.decidedAt)],
      ["Reason", approval.decisionReason === null ? undefined : visible(approval.decisionReason)],
      ["Approve", isPending ? `bron approvals approve ${shortId(id)} --digest ${digest}` : undefined],
      ["Deny", isPending ? `bron approvals deny ${shortId(id)} --digest ${digest}` : undefined],
    ]),
  ];
}

export function describeWhat({ tool, preview, prepared }: Pick<ApprovalView, "tool" | "preview" | "prepared">): string[] {
  return [visible(tool), `  ${indent(preview, 2)}`, "", "Exactly:", `  ${indent(JSON.stringify(prepared, null, 2), 2)}`];
}
