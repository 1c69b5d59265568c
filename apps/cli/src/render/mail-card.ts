import { formatBytes, visible, type CardPayload } from "@bron/protocol";
import { fields } from "./table.ts";
import { localTime } from "./time.ts";
import { oneLine } from "./visible.ts";

const maxMatches = 4;

export function renderSearchResults({ matches }: CardPayload<"EmailSearchResultsCard">): string[] {
  if (matches.length === 0) return ["No emails found."];
  const hidden = matches.length - maxMatches;
  return [
    hidden > 0
      ? `${matches.length} emails found. The first ${maxMatches}:`
      : `${matches.length} ${matches.length === 1 ? "email" : "emails"} found:`,
    ...matches
      .slice(0, maxMatches)
      .map(
        ({ date, from, subject }) =>
          `  ${dateOf(date)}  ${oneLine(from, 50)}  ${oneLine(subject, 80)}`,
      ),
  ];
}

export function renderAttachments({ attachments }: CardPayload<"AttachmentSummaryCard">): string[] {
  const names = attachments.map(
    ({ filename, sizeBytes }) => `${oneLine(filename)} (${formatBytes(sizeBytes)})`,
  );
  if (names.length === 0) return ["No attachments."];
  return [`${names.length === 1 ? "Attachment" : "Attachments"}: ${names.join(", ")}`];
}

export function renderFields({
  source,
  fields: found,
}: CardPayload<"ExtractedFieldsTable">): string[] {
  return [
    `Details from ${oneLine(source)}:`,
    ...(found.length === 0
      ? ["  Nothing found."]
      : fields(
          found.map((field) => [
            oneLine(field.key, 40),
            `${oneLine(field.value)}${field.found === false ? " (not found in the source)" : ""}`,
          ]),
        )),
  ];
}

export function renderDraft({
  to,
  cc,
  subject,
  bodyText,
}: CardPayload<"EmailDraftCard">): string[] {
  return [
    "Draft saved (not sent):",
    ...fields([
      ["To", visible(to)],
      ["Cc", visible(cc.join(", "))],
      ["Subject", oneLine(subject)],
      ["Text", oneLine(bodyText)],
    ]),
  ];
}

/** Mail headers may contain any text as a date, which is then shown as it is. */
function dateOf(date: string): string {
  return Number.isNaN(Date.parse(date)) ? oneLine(date, 30) : localTime(date);
}
