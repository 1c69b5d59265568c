import { pageVisitOf, visible, type ApprovalView } from "@bron/protocol";
import { eventNameOf } from "../cards/prepared-event.ts";
import { isMail, recipientsOf } from "../cards/prepared-mail.ts";
import { isPost } from "../cards/prepared-post.ts";
import { texts } from "../texts.ts";
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
  const details = [recipients, nameOf(prepared) ?? firstLine(preview)];
  return visible(details.filter((text) => text !== "").join(" · "));
}

/** "Send 3 emails" */
export function groupLine(approvals: readonly Pick<ApprovalView, "tool">[]): string {
  const many = manyWords(approvals.map(({ tool }) => tool));
  return `${many.charAt(0).toUpperCase()}${many.slice(1)}`;
}

/** The subject of an email, the title of an event, or the workspace of a post. */
function nameOf(prepared: ApprovalView["prepared"]): string | undefined {
  if (isMail(prepared)) return prepared.subject;
  if (isPost(prepared)) return prepared.workspace;
  const event = eventNameOf(prepared);
  return event && shorten(event.isSeries ? texts.approval.series(event.title) : event.title);
}

function firstLine(preview: string): string {
  const line =
    preview
      .split("\n")
      .find((candidate) => candidate.trim() !== "")
      ?.trim() ?? "";
  return shorten(line);
}

function shorten(text: string): string {
  return text.length > maxLine ? `${text.slice(0, maxLine)}…` : text;
}
