import type { gmail_v1 } from "@googleapis/gmail";
import { markHeader } from "./compose-mail.ts";
import { htmlToText } from "./html-to-text.ts";

export type AttachmentView = {
  filename: string;
  mimeType: string;
  sizeBytes: number;
  attachmentId: string;
};

/** Plain data, because it becomes a tool's output. */
export type MailView = {
  messageId: string;
  threadId: string;
  from: string;
  to: string;
  cc: string;
  subject: string;
  date: string;
  /** The user sent it, and Bron did not write it. */
  sentByUser: boolean;
  text: string;
  attachments: AttachmentView[];
};

const maxTextCharacters = 20_000;
/**
 * Limit for all text parts of one mail together. A mail may have 25 MB, but only its beginning is
 * ever shown.
 */
const maxReadBytes = 256 * 1024;

export function headerOf(message: gmail_v1.Schema$Message, name: string): string {
  return (
    message.payload?.headers?.find((header) => header.name?.toLowerCase() === name.toLowerCase())
      ?.value ?? ""
  );
}

export function toMailView(message: gmail_v1.Schema$Message): MailView {
  return {
    messageId: message.id ?? "",
    threadId: message.threadId ?? "",
    from: headerOf(message, "From"),
    to: headerOf(message, "To"),
    cc: headerOf(message, "Cc"),
    subject: headerOf(message, "Subject"),
    date: dateOf(message),
    sentByUser: isByHand(message),
    text: shownText(readText(message.payload)),
    attachments: attachmentsOf(message.payload),
  };
}

/** Only Gmail itself adds mail to the Sent folder. A "From" header can be forged. */
export function isByHand(message: gmail_v1.Schema$Message): boolean {
  return message.labelIds?.includes("SENT") === true && headerOf(message, markHeader) === "";
}

export function dateOf(message: gmail_v1.Schema$Message): string {
  return new Date(Number(message.internalDate ?? 0)).toISOString();
}

type Part = gmail_v1.Schema$MessagePart;

function* partsOf(part: Part | undefined): Generator<Part> {
  if (!part) return;
  yield part;
  for (const child of part.parts ?? []) yield* partsOf(child);
}

export function attachmentsOf(payload: Part | undefined): AttachmentView[] {
  return [...partsOf(payload)].flatMap(({ filename, mimeType, body }) =>
    filename && body?.attachmentId
      ? [
          {
            filename,
            mimeType: mimeType ?? "application/octet-stream",
            sizeBytes: body.size ?? 0,
            attachmentId: body.attachmentId,
          },
        ]
      : [],
  );
}

interface ReadText {
  readonly text: string;
  readonly readBytes: number;
  readonly allBytes: number;
}

/**
 * Reads the plain text if there is any, otherwise the text of the HTML. Decodes only the beginning,
 * because the rest would never be shown.
 */
function readText(payload: Part | undefined): ReadText {
  const parts = [...partsOf(payload)].filter(({ filename, body }) => !filename && body?.data);
  const plain = parts.filter(({ mimeType }) => mimeType === "text/plain");
  const textParts =
    plain.length > 0 ? plain : parts.filter(({ mimeType }) => mimeType === "text/html");
  const texts: string[] = [];
  let [readBytes, allBytes] = [0, 0];
  for (const { mimeType, body } of textParts) {
    const encoded = body?.data ?? "";
    const beginning = decodeBeginning(encoded, maxReadBytes - readBytes);
    texts.push(
      mimeType === "text/html"
        ? htmlToText(beginning.text, { isCut: beginning.isCut })
        : beginning.text,
    );
    readBytes += beginning.bytes;
    allBytes += bytesIn(encoded);
  }
  return { text: texts.join("\n").trim(), readBytes, allBytes };
}

function shownText({ text, readBytes, allBytes }: ReadText): string {
  if (readBytes < allBytes)
    return `${text.slice(0, maxTextCharacters)}… (truncated: only the first ${readBytes} of ${allBytes} bytes were read)`;
  return text.length > maxTextCharacters
    ? `${text.slice(0, maxTextCharacters)}… (truncated: ${text.length} characters in total)`
    : text;
}

/** Decodes at most `maxBytes` without splitting a character. */
function decodeBeginning(
  encoded: string,
  maxBytes: number,
): { readonly text: string; readonly bytes: number; readonly isCut: boolean } {
  const isCut = bytesIn(encoded) > maxBytes;
  if (!isCut)
    return {
      text: Buffer.from(encoded, "base64url").toString("utf8"),
      bytes: bytesIn(encoded),
      isCut,
    };
  const bytes = Buffer.from(encoded.slice(0, Math.floor(maxBytes / 3) * 4), "base64url");
  // In stream mode the decoder holds back an incomplete character at the end.
  return {
    text: new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true }),
    bytes: bytes.length,
    isCut,
  };
}

function bytesIn(base64url: string): number {
  return Buffer.byteLength(base64url, "base64url");
}
