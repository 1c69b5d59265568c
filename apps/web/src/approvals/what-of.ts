import { visible, type ApprovalView } from "@bron/protocol";
import { isMail, reachOf } from "../cards/prepared-mail.ts";
import { toolInWords } from "../words/tools.ts";

const maxLine = 120;

/** "Sending the draft: eva@example.com +1 · Invoice", or the first line of what a tool says of it. */
export function whatOf({
  tool,
  prepared,
  preview,
}: Pick<ApprovalView, "tool" | "prepared" | "preview">): string {
  const words = toolInWords(tool);
  const [first, ...others] = reachOf(prepared);
  const reach =
    first === undefined ? "" : `${first}${others.length > 0 ? ` +${others.length}` : ""}`;
  const about = [reach, isMail(prepared) ? prepared.subject : firstLine(preview)].filter(
    (part) => part !== "",
  );
  return about.length === 0 ? words : `${words}: ${visible(about.join(" · "))}`;
}

/** A preview begins with what kind of thing it is, which the tool's words say already: "New event: Lunch". */
function firstLine(preview: string): string {
  const line =
    preview
      .split("\n")
      .find((one) => one.trim() !== "")
      ?.trim() ?? "";
  const name = /^[\w ]{1,20}: (.+)$/.exec(line)?.[1] ?? line;
  return name.length > maxLine ? `${name.slice(0, maxLine)}…` : name;
}
