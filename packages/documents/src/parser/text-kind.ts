import type { DocumentKind } from "../parsed-document.ts";

/** Kinds that only their words tell apart. */
type TextKind = Extract<DocumentKind, "csv" | "html" | "eml" | "ics" | "text">;

const headerLine = /^[!-9;-~]+:/;
/** What programs write into the head of a mail, and people who quote one do not. */
const mailMarks =
  /^(?:message-id|mime-version|received|return-path|delivered-to|dkim-signature):/im;
const htmlStart = /^(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/** What the beginning of a text can only be; undefined if it may be several things. */
export function textKindByContent(start: string): TextKind | undefined {
  const text = start.replace(/^\ufeff/, "").trimStart();
  if (/^BEGIN:VCALENDAR\s/i.test(text)) return "ics";
  if (htmlStart.test(text)) return "html";
  return isMail(text) ? "eml" : undefined;
}

/** Whether a text that may be several things can be what it claims: a calendar or a mail without the form of one is neither. */
export function fitsClaim(claimed: DocumentKind, start: string): claimed is TextKind {
  if (claimed === "csv" || claimed === "html" || claimed === "text") return true;
  return claimed === "eml" && headerLine.test(start.replace(/^\ufeff/, "").trimStart());
}

function isMail(text: string): boolean {
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? "";
  const lines = head.split(/\r?\n/);
  // The last line may be cut off; one that begins with a space goes on from the line before.
  const areHeaders = lines
    .slice(0, -1)
    .every((line) => /^[ \t]/.test(line) || headerLine.test(line));
  return (
    headerLine.test(lines[0] ?? "") &&
    areHeaders &&
    /^(?:from|subject|date|to):/im.test(head) &&
    mailMarks.test(head)
  );
}
