import { BronError, sha256 } from "@bron/core";
import { randomUUID } from "node:crypto";
import type { Address as MimeAddress } from "postal-mime";
import { formatAddress, parseAddress } from "../addresses.ts";
import { markHeader } from "./compose-mail.ts";
import { wordsOf } from "./html-words.ts";
import type { MailPlace, PreparedMail } from "./prepared-mail.ts";
import { parseMime } from "./parse-mime.ts";

/** What a draft would send: its own bytes, with our mark if it has none yet. */
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
    // A draft that answers nothing has a conversation of its own, which goes with it.
    threadId: mail.inReplyTo || mail.references ? threadId : "",
    mark,
    messageId: mail.messageId ?? "",
    raw: marked,
    known: [],
    warnings: [],
  };
}

/** More than a person reads before they decide, and as much as can be turned into words without holding up the process. */
const maxShownCharacters = 256 * 1024;

/** Both forms, if they say different things: a recipient sees one or the other. */
function bodyOf({
  text,
  html,
}: {
  readonly text?: string | undefined;
  readonly html?: string | undefined;
}): string {
  if (Math.max(text?.length ?? 0, html?.length ?? 0) > maxShownCharacters)
    throw new BronError(
      "invalid_arguments",
      "This draft is too long to be shown whole before it is sent. Shorten it, or send it in Gmail.",
    );
  const plain = (text ?? "").replace(/\n$/, "");
  const rich = html === undefined ? "" : wordsOf(html).trim();
  const isSame =
    rich === "" || plain.replaceAll(/\s+/g, " ").trim() === rich.replaceAll(/\s+/g, " ");
  const words =
    plain.trim() === ""
      ? rich
      : isSame
        ? plain
        : `${plain}\n\n[Formatted, it says instead:]\n${rich}`;
  const shown = linksShown(words);
  const targets = linksIn(html ?? "").filter((target) => !shown.has(target));
  return targets.length === 0
    ? words
    : `${words}\n\n[Formatted, it leads to or loads:]\n${targets.join("\n")}`;
}

/** Every word that may be a link, with and without the punctuation after it. One set, so that each link is one look. */
function linksShown(words: string): ReadonlySet<string> {
  const tokens = words.split(/[\s<>"'()[\]]+/);
  return new Set([...tokens, ...tokens.map(withoutPunctuation)]);
}

function withoutPunctuation(word: string): string {
  let end = word.length;
  while (end > 0 && ".,;:!?".includes(word.charAt(end - 1))) end--;
  return word.slice(0, end);
}

/** What stands behind words and pictures, and is not among the words. */
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

/** Groups are resolved: everybody who would get it is named. */
function listed(addresses: readonly MimeAddress[] | undefined): string[] {
  return (addresses ?? []).flatMap((one) =>
    (one.group ?? [one]).map(({ name, address }) =>
      formatAddress({ ...parseAddress(address ?? ""), name: name ?? "" }),
    ),
  );
}

/** The conversation that a draft answers in, if it does. */
export async function placeOfDraft({
  raw,
  threadId,
}: {
  raw: string;
  threadId: string;
}): Promise<Omit<MailPlace, "account">> {
  const { inReplyTo, references } = await parseMime(Buffer.from(raw, "base64url"));
  if (!inReplyTo && !references) return {};
  return {
    threadId,
    ...(inReplyTo ? { inReplyTo } : {}),
    ...(references ? { references: references.split(/\s+/).filter(Boolean) } : {}),
  };
}
