import { omitUndefined } from "@bron/protocol";
import type MailComposer from "nodemailer/lib/mail-composer";
import { randomUUID } from "node:crypto";
import type { Address } from "../addresses.ts";
import { isEncodedWord } from "../one-line.ts";

/** Ours, so that a mail can be found again whatever Gmail does to its Message-ID. Random: it tells a recipient nothing. */
export const markHeader = "X-Bron-Effect";
/** In a draft that was made to be sent by one attempt: which one. It is not in what leaves, since sending brings the approved bytes. */
export const attemptHeader = "X-Bron-Attempt";

export interface MailContent {
  readonly from: string;
  readonly replyTo: readonly Address[];
  readonly to: readonly Address[];
  readonly cc: readonly Address[];
  readonly bcc: readonly Address[];
  readonly subject: string;
  readonly bodyText: string;
  readonly attachments: readonly {
    readonly filename: string;
    readonly mediaType: string;
    readonly bytes: Uint8Array;
  }[];
  readonly inReplyTo?: string;
  readonly references?: readonly string[];
}

export interface ComposedMail {
  readonly raw: string;
  readonly mark: string;
  readonly messageId: string;
}

/** The final bytes, base64url. They are what a person approves and what leaves. */
export async function composeMail(content: MailContent, date: Date): Promise<ComposedMail> {
  const mark = randomUUID();
  const messageId = `<${mark}@bron.invalid>`;
  const { bytes } = await build({
    from: content.from,
    ...(content.replyTo.length === 0 ? {} : { replyTo: [...content.replyTo] }),
    to: [...content.to],
    cc: [...content.cc],
    bcc: [...content.bcc],
    subject: isEncodedWord(content.subject) ? encodeWords(content.subject) : content.subject,
    text: content.bodyText,
    date,
    messageId,
    ...omitUndefined({
      inReplyTo: content.inReplyTo,
      references: content.references === undefined ? undefined : [...content.references],
    }),
    headers: { [markHeader]: mark },
    attachments: content.attachments.map(({ filename, mediaType, bytes: file }) => ({
      filename,
      contentType: mediaType,
      content: Buffer.from(file),
    })),
    // Line ends of mail, also in the text.
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { raw: bytes.toString("base64url"), mark, messageId };
}

/** What reads like encoded words is encoded itself, so that readers show it as it is. */
function encodeWords(text: string): string {
  const pieces = text.match(/.{1,10}/gsu) ?? [];
  return pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString("base64")}?=`).join(" ");
}

async function build(
  options: ConstructorParameters<typeof MailComposer>[0],
): Promise<{ bytes: Buffer }> {
  const { default: Composer } = await import("nodemailer/lib/mail-composer");
  const node = new Composer(options).compile();
  // Otherwise Bcc would be left out of the bytes, and with it out of the delivery.
  node.keepBcc = true;
  return { bytes: await node.build() };
}
