import {
  describeReasons,
  isAsking,
  visible,
  type ApprovalState,
  type ApprovalView,
  type JsonValue,
} from "@bron/protocol";
import { describeDiff, describeRisks } from "./risks.ts";
import { describeHoldOffers } from "./hold-offers.ts";
import { shortId } from "./short-id.ts";
import { fields } from "./table.ts";
import { localTime, until } from "./time.ts";
import { approvalQuestion, hasApprovalWords } from "./tool-words.ts";
import { indent, oneLine } from "./visible.ts";

export interface ApprovalOptions {
  readonly now: Date;
  /** How hints name the command, such as `npx bron`. */
  readonly calledAs: string;
  /** Shows what developers look for: the tool, the digest and the request as JSON. */
  readonly isVerbose?: boolean;
}

export const approvalStateWords: Readonly<Record<ApprovalState, string>> = {
  pending: "Needs approval",
  approved: "Approved",
  used: "Approved and carried out",
  denied: "You declined",
  expired: "Expired",
  superseded: "Replaced by an edit",
  canceled: "No longer needed",
};

/** An approval in full. */
export function describeApproval(approval: ApprovalView, options: ApprovalOptions): string[] {
  const { now, calledAs: bron, isVerbose = false } = options;
  const { id, digest, state } = approval;
  const isPending = state === "pending";
  const short = shortId(id);
  const undoUntil =
    state === "approved" ? approval.undoUntil : state === "denied" ? approval.reopenUntil : null;
  const canUndo = undoUntil !== null && Date.parse(undoUntil) > now.getTime();
  const isSnoozed = isPending && !isAsking(approval, now.getTime());
  const onlyPending = (text: string) => (isPending ? text : undefined);
  const seen = isVerbose ? ` --digest ${digest}` : "";
  return [
    ...describeWhat(approval, options),
    ...fields([
      ["State", approvalStateWords[state]],
      ["Why", visible(describeReasons(approval.reasons))],
      ["Approval", isVerbose ? id : short],
      ["Run", isVerbose ? approval.runId : shortId(approval.runId)],
      ["Digest", isVerbose ? digest : undefined],
      ["Requested", localTime(approval.createdAt)],
      [
        "Expires",
        onlyPending(`${until(approval.expiresAt, now)} (${localTime(approval.expiresAt)})`),
      ],
      ["Hidden", isSnoozed ? `until ${localTime(approval.snoozedUntil ?? "")}` : undefined],
      ["Decided", approval.decidedAt === null ? undefined : localTime(approval.decidedAt)],
      ["Reply", approval.reply === null ? undefined : visible(approval.reply)],
      ["Reason", approval.decisionReason === null ? undefined : visible(approval.decisionReason)],
      ["Approve", onlyPending(`${bron} approvals approve ${short}${seen}`)],
      ["Deny", onlyPending(`${bron} approvals deny ${short}${seen}`)],
      [
        "Edit",
        isPending && approval.editable
          ? `${bron} approvals edit ${short}${seen} --set field=value (${Object.keys(approval.editable).join(", ")})`
          : undefined,
      ],
      ["Change", onlyPending(`${bron} approvals reply ${short} "what to change"${seen}`)],
      ["Undo", canUndo ? `${bron} approvals undo ${short} (${until(undoUntil, now)})` : undefined],
    ]),
  ];
}

type What = Pick<ApprovalView, "tool" | "kind" | "preview" | "prepared" | "risks" | "diff">;

/** What an approval asks for, with what to check. */
export function describeWhat(
  { tool, kind, preview, prepared, risks, diff }: What,
  { calledAs, isVerbose = false }: Pick<ApprovalOptions, "calledAs" | "isVerbose">,
): string[] {
  return [
    approvalQuestion(tool),
    `  ${indent(preview, 2)}`,
    ...(isVerbose ? requestAsJson(tool, prepared) : requestOfUnknown(tool, prepared)),
    "",
    ...describeRisks(risks),
    ...describeHoldOffers({ tool, kind, risks }, calledAs),
    ...describeDiff(diff),
  ];
}

function requestAsJson(tool: string, prepared: JsonValue): string[] {
  return [
    "",
    `Full request (${visible(tool)}):`,
    `  ${indent(JSON.stringify(prepared, null, 2), 2)}`,
  ];
}

/** The preview of a tool of others may leave something out, so every field of it is shown. */
function requestOfUnknown(tool: string, prepared: JsonValue): string[] {
  if (hasApprovalWords(tool)) return [];
  if (typeof prepared !== "object" || prepared === null || Array.isArray(prepared)) return [];
  return [
    "",
    "Request:",
    ...fields(
      Object.entries(prepared).map(([name, value]) => [
        oneLine(name, 40),
        visible(typeof value === "string" ? value : JSON.stringify(value)),
      ]),
    ),
  ];
}
