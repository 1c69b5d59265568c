import { BronError, sha256, type ToolContext } from "@bron/core";
import type { FormReads } from "@bron/protocol";
import type { Email } from "postal-mime";
import { readFromGoogle } from "../google/call-google.ts";
import { isEncodedWord } from "../one-line.ts";
import type { GmailDeps } from "./gmail-deps.ts";
import { parseMime } from "./parse-mime.ts";
import { mailItem } from "./mail-item.ts";
import { bodyOf, listed } from "./prepared-draft.ts";
import type { MailRequest } from "./prepared-mail.ts";

/** A mail as it is forwarded. Code copies it, so no model can change it. */
export interface CopiedMail {
  readonly subject: string;
  /** The text under its headers. */
  readonly copy: string;
  readonly attachments: MailRequest["attachments"];
  readonly readArtifact: ToolContext["readArtifact"];
  /** What was read of it. */
  readonly reads: FormReads;
}

const tooLong = "This email is too long to review in full. Forward it in Gmail.";
const maxSubjectCharacters = 900;
const maxNameCharacters = 180;

/** Reads the mail from the account. Throws not_found if there is none. */
export async function copyMail(
  deps: GmailDeps,
  messageId: string,
  context: ToolContext,
): Promise<CopiedMail> {
  const { raw, internalDate, labelIds } = await readFromGoogle(
    deps,
    context,
    ({ gmail }, options) =>
      gmail.users.messages.get({ userId: "me", id: messageId, format: "raw" }, options),
  );
  if (labelIds?.includes("DRAFT") === true)
    throw new BronError("invalid_arguments", "A draft can't be forwarded. Use gmail_draft_send.");
  const mail = await parseMime(Buffer.from(raw ?? "", "base64url"));
  const files = new Map<string, Uint8Array>();
  const attachments = await Promise.all(
    mail.attachments.map(async (attachment, index) => {
      const { content } = attachment;
      const bytes =
        typeof content === "string" ? new TextEncoder().encode(content) : new Uint8Array(content);
      const digest = await sha256(bytes);
      files.set(digest, bytes);
      return { digest, filename: nameOf(attachment, index), mediaType: typeOf(attachment) };
    }),
  );
  const subject = oneLine(mail.subject ?? "").slice(0, maxSubjectCharacters);
  const from = listed(mail.from ? [mail.from] : []).join(", ");
  const copy = copyOf(mail, subject, new Date(Number(internalDate ?? 0)));
  const item = mailItem({ subject, from, date: mail.date ?? "" });
  const label = { origin: "mail" as const, trusted: false, private: true, readers: [] };
  return {
    reads: {
      results: [{ label: { ...label, parts: [{ path: [], item }] }, value: { subject, copy } }],
      writers: [],
    },
    subject: /^(?:fwd?|wg|tr|rv|i|doorst|pd):/i.test(subject) ? subject : `Fwd: ${subject}`,
    copy,
    attachments,
    readArtifact: (digest) => Promise.resolve(files.get(digest)),
  };
}

function copyOf(mail: Email, subject: string, date: Date): string {
  const headers = [
    ["From", listed(mail.from ? [mail.from] : []).join(", ")],
    ["Date", date.toUTCString()],
    ["Subject", subject],
    ["To", listed(mail.to).join(", ")],
    ["Cc", listed(mail.cc).join(", ")],
  ] as const;
  return [
    "---------- Forwarded message ---------",
    ...headers.flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${oneLine(value)}`])),
    "",
    bodyOf(mail, tooLong).replaceAll(/\r\n?/g, "\n").trim(),
  ].join("\n");
}

function oneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
}

type Attachment = Email["attachments"][number];

function nameOf({ filename }: Attachment, index: number): string {
  const name = oneLine(filename ?? "").slice(0, maxNameCharacters);
  return name === "" || isEncodedWord(name) ? `attachment-${index + 1}` : name;
}

/** Mail programs would show an attached message as a part of the mail. */
function typeOf({ mimeType }: Attachment): string {
  return /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+$/.test(mimeType) &&
    !/^(?:message|multipart)\//i.test(mimeType)
    ? mimeType
    : "application/octet-stream";
}
