import { pageVisitOf, visible, type ApprovalView } from "@bron/protocol";
import { isMail, recipientsOf } from "../cards/prepared-mail.ts";
import { manyWords } from "../words/action.ts";
import { toolLabel } from "../words/tools.ts";

const maxLine = 120;

type Described = Pick<ApprovalView, "tool" | "kind" | "prepared" | "preview">;

/** "Sending the draft: eva@example.com +1 · Invoice", or the first line of the preview. */
export function approvalLine(approval: Described): string {
  const label = toolLabel(approval.tool);
  const details = detailsOf(approval);
  return details === "" ? label : `${label}: ${details}`;
}

/** The line of one effect of a group, without what the heading of the group says. */
export function itemLine(approval: Described, group: readonly Described[]): string {
  const isAlike = group.every(({ tool }) => tool === approval.tool);
  return (isAlike && detailsOf(approval)) || approvalLine(approval);
}

/** "eva@example.com +1 · Invoice" */
function detailsOf({ kind, prepared, preview }: Described): string {
  const visit = pageVisitOf({ kind, prepared });
  if (visit) return visible(`${visit.host}/${visit.path.text}`);
  const [first, ...others] = recipientsOf(prepared);
  const recipients =
    first === undefined ? "" : `${first}${others.length > 0 ? ` +${others.length}` : ""}`;
  const details = [recipients, isMail(prepared) ? prepared.subject : firstLine(preview)];
  return visible(details.filter((text) => text !== "").join(" · "));
}

/** "Send 3 emails" */
export function groupLine(approvals: readonly Pick<ApprovalView, "tool">[]): string {
  const many = manyWords(approvals.map(({ tool }) => tool));
  return `${many.charAt(0).toUpperCase()}${many.slice(1)}`;
}

/**
 * Drops the kind at the start of a preview ("New event: Lunch"), which the tool's label already
 * says.
 */
function firstLine(preview: string): string {
  const line =
    preview
      .split("\n")
      .find((candidate) => candidate.trim() !== "")
      ?.trim() ?? "";
  const name = /^[\w ]{1,20}: (.+)$/.exec(line)?.[1] ?? line;
  return name.length > maxLine ? `${name.slice(0, maxLine)}…` : name;
}
