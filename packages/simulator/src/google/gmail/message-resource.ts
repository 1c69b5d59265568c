import { createHash } from "node:crypto";
import { badRequest } from "../api-error.ts";
import { decodeHeader, type HeaderField } from "../mime/header-fields.ts";
import { snippetOf } from "../mime/message-text.ts";
import { parseMime, partText, type MimePart } from "../mime/parse-mime.ts";
import type { StoredMessage } from "../state/mailbox.ts";

export type MessageFormat = "full" | "metadata" | "minimal" | "raw";

export function readFormat(
  text: string | null,
  allowed: readonly MessageFormat[] = ["full", "metadata", "minimal", "raw"],
): MessageFormat {
  const format = allowed.find((one) => one === (text ?? "full").toLowerCase());
  if (!format)
    throw badRequest(
      `Invalid value at 'format' (type.googleapis.com/google.apps.gmail.v1.MessageFormat), "${text ?? ""}"`,
    );
  return format;
}

export const messageReference = ({ id, threadId }: StoredMessage) => ({ id, threadId });

export const labeledReference = ({ id, threadId, labelIds }: StoredMessage) => ({
  id,
  threadId,
  labelIds,
});

export async function messageResource(
  message: StoredMessage,
  format: MessageFormat,
  metadataHeaders: readonly string[] = [],
): Promise<unknown> {
  const { content } = message;
  const common = {
    ...labeledReference(message),
    snippet: snippetOf(content.facts().text),
    sizeEstimate: content.sizeBytes,
    historyId: String(message.historyId),
    internalDate: String(message.internalDate),
  };
  if (format === "minimal") return common;
  if (format === "raw") return { ...common, raw: (await content.raw()).toString("base64url") };
  if (format === "full")
    return { ...common, payload: partResource(parseMime(await content.raw()), message.id, "") };
  const root = await content.outline();
  const wanted = metadataHeaders.map((name) => name.toLowerCase());
  const headers =
    wanted.length === 0
      ? root.headers
      : root.headers.filter(({ name }) => wanted.includes(name.toLowerCase()));
  return { ...common, payload: { mimeType: root.mimeType, headers: headers.map(headerResource) } };
}

/**
 * Numbers parts like Gmail: the root has no number, its first part is "0" and the first part of
 * that is "0.0".
 */
function partResource(part: MimePart, messageId: string, partId: string): unknown {
  const children = part.parts.map((child, index) =>
    partResource(child, messageId, partId === "" ? String(index) : `${partId}.${index}`),
  );
  return {
    partId,
    mimeType: part.mimeType,
    filename: part.filename,
    headers: part.headers.map(headerResource),
    body: bodyResource(part, messageId, partId),
    ...(children.length === 0 ? {} : { parts: children }),
  };
}

function bodyResource(part: MimePart, messageId: string, partId: string): unknown {
  if (part.parts.length > 0) return { size: 0 };
  if (isAttachment(part))
    return { attachmentId: attachmentId(messageId, partId), size: part.body().length };
  const data = Buffer.from(partText(part), "utf8");
  return { size: data.length, ...(data.length === 0 ? {} : { data: data.toString("base64url") }) };
}

const isAttachment = (part: MimePart) => part.filename !== "" || !part.mimeType.startsWith("text/");

const headerResource = ({ name, value }: HeaderField) => ({ name, value: decodeHeader(value) });

const attachmentId = (messageId: string, partId: string) =>
  `ANGjdJ${createHash("sha512").update(`${messageId}/${partId}`).digest("base64url")}`;

export async function findAttachment(
  message: StoredMessage,
  id: string,
): Promise<Buffer | undefined> {
  return find(parseMime(await message.content.raw()), "");

  function find(part: MimePart, partId: string): Buffer | undefined {
    if (part.parts.length === 0)
      return isAttachment(part) && attachmentId(message.id, partId) === id
        ? part.body()
        : undefined;
    for (const [index, child] of part.parts.entries()) {
      const found = find(child, partId === "" ? String(index) : `${partId}.${index}`);
      if (found) return found;
    }
    return undefined;
  }
}
