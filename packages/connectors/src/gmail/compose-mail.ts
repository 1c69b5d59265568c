import { omitUndefined } from "@bron/protocol";
import type MailComposer from "nodemailer/lib/mail-composer";
import { randomUUID } from "node:crypto";
import type { Address } from "../addresses.ts";
import { isEncodedWord } from "../one-line.ts";

/**
 * Our own header, so that we can find a message again even if Gmail replaces its Message-ID. Its
 * value is random and reveals nothing to recipients.
 */
export const markHeader = "X-Bron-Effect";
/**
 * Marks a draft that one attempt created in order to send it. Recipients never see this header,
 * because the send request carries the approved bytes.
 */
export const attemptHeader = "X-Bron-Attempt";

interface MailContent {
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

interface ComposedMail {
  readonly raw: string;
  readonly mark: string;
  readonly messageId: string;
}

/**
 * Builds the final bytes (base64url). The owner approves exactly these bytes, and exactly these are
 * sent.
 */
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
    // Mail requires CRLF line endings, also in the text.
    newline: "windows",
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return { raw: bytes.toString("base64url"), mark, messageId };
}

/** Encodes text that looks like RFC 2047 encoded words, so that mail clients show it literally. */
function encodeWords(text: string): string {
  const pieces = text.match(/.{1,10}/gsu) ?? [];
  return pieces.map((piece) => `=?UTF-8?B?${Buffer.from(piece).toString("base64")}?=`).join(" ");
}

async function build(
  options: ConstructorParameters<typeof MailComposer>[0],
): Promise<{ bytes: Buffer }> {
  const { default: Composer } = await import("nodemailer/lib/mail-composer");
  const node = new Composer(options).compile();
  // Without this, the Bcc header would be missing from the bytes and Gmail would not deliver to
  // those recipients.
  node.keepBcc = true;
  return { bytes: await node.build() };
}
