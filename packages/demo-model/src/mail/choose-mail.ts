import { foldText } from "../reading/fold-text.ts";
import type { FileType, MailSearch } from "./mail-task.ts";
import type { AttachmentEntry, SearchMatch } from "./mail-results.ts";

const readable = /\.(?:pdf|xlsx?|csv|tsv|txt|docx?|html?|md|json|xml)$/i;
const decoration = /^(?:logo|signature|image\d*|icon)\b|\.(?:png|jpe?g|gif|svg|ics|vcf|p7s|asc)$/i;
const preference = ["pdf", "xlsx", "csv", "xls", "docx", "txt"];

/** Ranks by document name and file type, then by date. */
export function rankMatches(
  matches: readonly SearchMatch[],
  search: MailSearch,
  needsAttachment: boolean,
): readonly SearchMatch[] {
  const score = (match: SearchMatch) =>
    Number(mentions(match, search.document)) +
    (needsAttachment
      ? 2 * Number(match.attachments.some((name) => fits(name, search.fileTypes)))
      : 0);
  return matches.toSorted((a, b) => score(b) - score(a) || timeOf(b) - timeOf(a));
}

/** Ranks the readable attachments, best match first. */
export function rankAttachments(
  attachments: readonly AttachmentEntry[],
  search: MailSearch,
): readonly AttachmentEntry[] {
  const usable = attachments.filter(({ filename }) => fits(filename, []));
  const score = ({ filename }: AttachmentEntry) =>
    8 * Number(fits(filename, search.fileTypes)) +
    4 * Number(hasAny(filename, search.document)) -
    Math.max(0, preference.indexOf(extensionOf(filename))) / 10;
  return usable.toSorted((a, b) => score(b) - score(a));
}

function fits(filename: string, types: readonly FileType[]): boolean {
  if (types.length > 0)
    return types.some((type) => extensionOf(filename).startsWith(type.slice(0, 3)));
  return readable.test(filename) || !decoration.test(filename);
}

function mentions(
  { subject, attachments, snippet }: SearchMatch,
  names: readonly string[] | undefined,
): boolean {
  return hasAny([subject, snippet, ...attachments].join(" "), names);
}

function hasAny(text: string, names: readonly string[] = []): boolean {
  const folded = foldText(text);
  return names.some((name) => folded.includes(foldText(name)));
}

function extensionOf(filename: string): string {
  return /\.([a-z0-9]+)$/i.exec(filename)?.[1]?.toLowerCase() ?? "";
}

function timeOf({ date }: SearchMatch): number {
  const time = Date.parse(date);
  return Number.isNaN(time) ? 0 : time;
}
