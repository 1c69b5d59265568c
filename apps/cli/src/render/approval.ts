import { describeReasons, visible, type ApprovalView } from "@bron/protocol";
import { describeDiff, describeRisks } from "./risks.ts";
import { describeHoldOffers } from "./hold-offers.ts";
import { shortId } from "./short-id.ts";
import { fields } from "./table.ts";
import { localTime, until } from "./time.ts";
import { indent } from "./visible.ts";

/** An approval in full, with the exact request that it covers. */
export function describeApproval(approval: ApprovalView, now: Date): string[] {
  const { id, digest, state, undoUntil } = approval;
  const isPending = state === "pending";
  const canUndo =
    state === "approved" && undoUntil !== null && Date.parse(undoUntil) > now.getTime();
  return [
    ...describeWhat(approval),
    "",
    ...fields([
      ["Approval", id],
      ["Run", approval.runId],
      ["State", state === "used" ? "approved and carried out" : state],
      ["Why", visible(describeReasons(approval.reasons))],
      ["Digest", digest],
      ["Requested", localTime(approval.createdAt)],
      [
        "Expires",
        isPending
          ? `${until(approval.expiresAt, now)} (${localTime(approval.expiresAt)})`
          : undefined,
      ],
      ["Decided", approval.decidedAt === null ? undefined : localTime(approval.decidedAt)],
      ["Reply", approval.reply === null ? undefined : visible(approval.reply)],
      ["Reason", approval.decisionReason === null ? undefined : visible(approval.decisionReason)],
      [
        "Approve",
        isPending ? `bron approvals approve ${shortId(id)} --digest ${digest}` : undefined,
      ],
      ["Deny", isPending ? `bron approvals deny ${shortId(id)} --digest ${digest}` : undefined],
      [
        "Edit",
        isPending && approval.editable
          ? `bron approvals edit ${shortId(id)} --digest ${digest} --set field=value (${Object.keys(approval.editable).join(", ")})`
          : undefined,
      ],
      [
        "Change",
        isPending
          ? `bron approvals reply ${shortId(id)} "what to change" --digest ${digest}`
          : undefined,
      ],
      [
        "Undo",
        canUndo ? `bron approvals undo ${shortId(id)} (${until(undoUntil, now)})` : undefined,
      ],
    ]),
  ];
}

export function describeWhat({
  tool,
  kind,
  preview,
  prepared,
  risks,
  diff,
}: Pick<ApprovalView, "tool" | "kind" | "preview" | "prepared" | "risks" | "diff">): string[] {
  return [
    ...describeRisks(risks),
    ...describeHoldOffers({ tool, kind, risks }),
    ...describeDiff(diff),
    visible(tool),
    `  ${indent(preview, 2)}`,
    "",
    "Full request:",
    `  ${indent(JSON.stringify(prepared, null, 2), 2)}`,
  ];
}
