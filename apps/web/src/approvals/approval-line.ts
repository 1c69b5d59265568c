import { visible, type ApprovalView } from "@bron/protocol";
import { isMail, recipientsOf } from "../cards/prepared-mail.ts";
import { toolLabel } from "../words/tools.ts";

const maxLine = 120;

/** "Sending the draft: eva@example.com +1 · Invoice", or the first line of the preview. */
export function approvalLine({
  tool,
  prepared,
  preview,
}: Pick<ApprovalView, "tool" | "prepared" | "preview">): string {
  const label = toolLabel(tool);
  const [first, ...others] = recipientsOf(prepared);
  const recipients =
    first === undefined ? "" : `${first}${others.length > 0 ? ` +${others.length}` : ""}`;
  const details = [recipients, isMail(prepared) ? prepared.subject : firstLine(preview)].filter(
    (text) => text !== "",
  );
  return details.length === 0 ? label : `${label}: ${visible(details.join(" · "))}`;
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
