import type { gmail_v1 } from "@googleapis/gmail";

export type AttachmentView = {
  filename: string;
  mimeType: string;
  sizeBytes: number;
  attachmentId: string;
};

/** Plain data: it becomes a tool's output. */
export type MailView = {
  messageId: string;
  threadId: string;
  from: string;
  to: string;
  cc: string;
  subject: string;
  date: string;
  text: string;
  attachments: AttachmentView[];
};

const maxTextCharacters = 20_000;

export function headerOf(message: gmail_v1.Schema$Message, name: string): string {
  return message.payload?.headers?.find((header) => header.name?.toLowerCase() === name.toLowerCase())?.value ?? "";
}

export function toMailView(message: gmail_v1.Schema$Message): MailView {
  const text = textOf(message.payload);
  return {
    messageId: message.id ?? "",
    threadId: message.threadId ?? "",
    from: headerOf(message, "From"),
    to: headerOf(message, "To"),
    cc: headerOf(message, "Cc"),
    subject: headerOf(message, "Subject"),
    date: dateOf(message),
    text: text.length > maxTextCharacters ? `${text.slice(0, maxTextCharacters)}… (cut: ${text.length} characters in all)` : text,
    attachments: attachmentsOf(message.payload),
  };
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
    filename && body?.attachmentId ? [{ filename, mimeType: mimeType ?? "application/octet-stream", sizeBytes: body.size ?? 0, attachmentId: body.attachmentId }] : [],
  );
}

/** Plain text if there is any, else the words of the HTML form. */
function textOf(payload: Part | undefined): string {
  const parts = [...partsOf(payload)].filter(({ filename, body }) => !filename && body?.data);
  const plain = parts.filter(({ mimeType }) => mimeType === "text/plain");
  if (plain.length > 0) return plain.map(decode).join("\n").trim();
  return parts.filter(({ mimeType }) => mimeType === "text/html").map((part) => wordsOf(decode(part))).join("\n").trim();
}

function decode({ body }: Part): string {
  return Buffer.from(body?.data ?? "", "base64url").toString("utf8");
}

/** What a person would read of it. */
export function wordsOf(html: string): string {
  return html
    .replaceAll(/<(script|style|title)\b[\s\S]*?<\/\1\s*>/gi, " ")
    .replaceAll(/<!--[\s\S]*?--!?>/g, " ")
    .replaceAll(/<(?:br|\/p|\/div|\/tr|\/h\d|\/li)\b[^>]*>/gi, "\n")
    .replaceAll(/<[^>]*>/g, " ")
    .replaceAll("&nbsp;", " ")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&quot;", '"')
    .replaceAll("&amp;", "&")
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/\s*\n\s*/g, "\n");
}
