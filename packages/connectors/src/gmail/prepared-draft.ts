import { BronError, sha256 } from "@bron/core";
import type { JsonObject } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import type { Address as MimeAddress } from "postal-mime";
import { formatAddress, parseAddress } from "../addresses.ts";
import { markHeader } from "./compose-mail.ts";
import { htmlToText } from "./html-to-text.ts";
import type { MailEnvelope, PreparedMail } from "./prepared-mail.ts";
import { parseMime } from "./parse-mime.ts";

/** Reads what a draft would send. Keeps its bytes and adds our mark if it has none yet. */
export async function readPreparedDraft(
  { raw, threadId }: { raw: string; threadId: string },
  account: string,
): Promise<PreparedMail> {
  const bytes = Buffer.from(raw, "base64url");
  const mail = await parseMime(bytes);
  const own = mail.headers.find(({ key }) => key === markHeader.toLowerCase())?.value;
  const mark = own ?? randomUUID();
  const marked =
    own === undefined
      ? Buffer.concat([Buffer.from(`${markHeader}: ${mark}\r\n`), bytes]).toString("base64url")
      : raw;
  const [to, cc, bcc] = [listed(mail.to), listed(mail.cc), listed(mail.bcc)];
  if (to.length + cc.length + bcc.length === 0)
    throw new BronError("invalid_arguments", "This draft has no recipient yet.");
  return {
    account,
    from: listed(mail.from ? [mail.from] : []).join(", ") || account,
    replyTo: listed(mail.replyTo),
    to,
    cc,
    bcc,
    subject: mail.subject ?? "",
    bodyText: bodyOf(mail),
    attachments: await Promise.all(
      mail.attachments.map(async ({ filename, mimeType, content }) => {
        const file =
          typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
        return {
          filename: filename ?? "",
          mediaType: mimeType,
          sizeBytes: file.length,
          digest: await sha256(file),
        };
      }),
    ),
    // A draft that is not a reply has its own thread, which disappears with it.
    threadId: mail.inReplyTo || mail.references ? threadId : "",
    mark,
    messageId: mail.messageId ?? "",
    raw: marked,
    known: [],
    warnings: [],
  };
}

/**
 * More than anyone reads before approving, and the most that can be converted to text without
 * blocking the process.
 */
const maxShownCharacters = 256 * 1024;

/**
 * Returns both the plain and the HTML text if they differ, because a recipient sees one or the
 * other.
 */
export function bodyOf(
  { text, html }: { readonly text?: string | undefined; readonly html?: string | undefined },
  tooLong = "This draft is too long to review in full. Shorten it, or send it in Gmail.",
): string {
  if (Math.max(text?.length ?? 0, html?.length ?? 0) > maxShownCharacters)
    throw new BronError("invalid_arguments", tooLong);
  const plain = (text ?? "").replace(/\n$/, "");
  const rich = html === undefined ? "" : htmlToText(html).trim();
  const isSame =
    rich === "" || plain.replaceAll(/\s+/g, " ").trim() === rich.replaceAll(/\s+/g, " ");
  const words =
    plain.trim() === ""
      ? rich
      : isSame
        ? plain
        : `${plain}\n\n[The formatted version says:]\n${rich}`;
  const shown = linksShown(words);
  const targets = linksIn(html ?? "").filter((target) => !shown.has(target));
  return targets.length === 0
    ? words
    : `${words}\n\n[The formatted version links to or loads:]\n${targets.join("\n")}`;
}

/**
 * Every word that may be a link, with and without trailing punctuation. A set makes each lookup
 * constant time.
 */
function linksShown(words: string): ReadonlySet<string> {
  const tokens = words.split(/[\s<>"'()[\]]+/);
  return new Set([...tokens, ...tokens.map(withoutPunctuation)]);
}

function withoutPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && ".,;:!?".includes(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}

/** Targets of links and images, which are not part of the visible text. */
function linksIn(html: string): string[] {
  const targets = [
    ...html.matchAll(
      /\b(?:href|src|srcset|background|action|poster|data)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))|url\(\s*["']?([^"')]+)/gi,
    ),
  ].map(([, ...forms]) => (forms.find((form) => form !== undefined) ?? "").trim());
  return [...new Set(targets)].filter(
    (target) => target !== "" && !/^(?:#|cid:|mailto:)/i.test(target),
  );
}

/** Expands groups, so that every recipient is named. */
export function listed(addresses: readonly MimeAddress[] | undefined): string[] {
  return (addresses ?? []).flatMap((entry) =>
    (entry.group ?? [entry]).map(({ name, address }) =>
      formatAddress({ ...parseAddress(address ?? ""), name: name ?? "" }),
    ),
  );
}

/** What a draft has, without its text. */
export interface DraftHeaders extends JsonObject {
  subject: string;
  to: string[];
  cc: string[];
  bcc: string[];
  replyTo: string[];
}

export async function readDraftHeaders({
  raw,
}: {
  raw: string;
}): Promise<DraftHeaders & { isMarked: boolean }> {
  const mail = await parseMime(Buffer.from(raw, "base64url"));
  return {
    subject: mail.subject ?? "",
    to: listed(mail.to),
    cc: listed(mail.cc),
    bcc: listed(mail.bcc),
    replyTo: listed(mail.replyTo),
    isMarked: mail.headers.some(({ key }) => key === markHeader.toLowerCase()),
  };
}

/** The thread that a draft replies in, or an empty object if it is not a reply. */
export async function threadOfDraft({
  raw,
  threadId,
}: {
  raw: string;
  threadId: string;
}): Promise<Omit<MailEnvelope, "account">> {
  const { inReplyTo, references } = await parseMime(Buffer.from(raw, "base64url"));
  if (!inReplyTo && !references) return {};
  return {
    threadId,
    ...(inReplyTo ? { inReplyTo } : {}),
    ...(references ? { references: references.split(/\s+/).filter(Boolean) } : {}),
  };
}
