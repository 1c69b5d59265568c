import type { DocumentKind } from "../parsed-document.ts";

/** Kinds that differ only in their text. */
type TextKind = Extract<DocumentKind, "csv" | "html" | "eml" | "ics" | "text">;

const headerLine = /^[!-9;-~]+:/;
/** Headers that programs write, but people who quote a mail do not. */
const mailMarks =
  /^(?:message-id|mime-version|received|return-path|delivered-to|dkim-signature):/im;
const htmlStart = /^(?:<\?xml[^>]*>\s*)?(?:<!--[^]*?-->\s*)*<(?:!doctype\s+html|html|head|body)\b/i;

/** The kind, if the beginning of the text allows only one. */
export function textKindByContent(start: string): TextKind | undefined {
  const text = start.replace(/^\ufeff/, "").trimStart();
  if (/^BEGIN:VCALENDAR\s/i.test(text)) return "ics";
  if (htmlStart.test(text)) return "html";
  return isMail(text) ? "eml" : undefined;
}

/**
 * Whether an ambiguous text can be what it claims. A calendar or mail without the right form is
 * neither.
 */
export function fitsClaim(claimed: DocumentKind, start: string): claimed is TextKind {
  if (claimed === "csv" || claimed === "html" || claimed === "text") return true;
  return claimed === "eml" && headerLine.test(start.replace(/^\ufeff/, "").trimStart());
}

function isMail(text: string): boolean {
  const head = text.split(/\r?\n\r?\n/, 1)[0] ?? "";
  const lines = head.split(/\r?\n/);
  // The last line may be cut off. A line that starts with a space continues the previous one.
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
