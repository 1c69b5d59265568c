import { isObject } from "../wire.ts";

/** Results of the Gmail tools. They are read defensively because a result may be any JSON. */
export interface SearchMatch {
  readonly messageId: string;
  readonly threadId: string;
  readonly from: string;
  readonly subject: string;
  readonly date: string;
  readonly snippet: string;
  readonly attachments: readonly string[];
}

export interface AttachmentEntry {
  readonly filename: string;
  readonly mimeType: string;
  readonly attachmentId: string;
}

export interface MailMessage {
  readonly messageId: string;
  readonly threadId: string;
  readonly from: string;
  readonly subject: string;
  readonly date: string;
  readonly text: string;
  readonly attachments: readonly AttachmentEntry[];
}

export interface SearchResults {
  readonly matches: readonly SearchMatch[];
  readonly hasMore: boolean;
}

export function readSearchResults(value: unknown): SearchResults {
  const list = isObject(value)
    ? listOf(value["matches"] ?? value["messages"] ?? value["results"])
    : listOf(value);
  const matches = list.filter(isObject).map((match) => ({
    messageId: text(match, "messageId") || text(match, "id"),
    threadId: text(match, "threadId"),
    from: text(match, "from"),
    subject: text(match, "subject"),
    date: text(match, "date"),
    snippet: text(match, "snippet"),
    attachments: listOf(match["attachments"]).map((name) =>
      isObject(name) ? text(name, "filename") : String(name),
    ),
  }));
  return {
    matches: matches.filter(({ messageId, threadId }) => messageId !== "" || threadId !== ""),
    hasMore: isObject(value) && value["more"] === true,
  };
}

/** The messages of a thread, or the single message that was read. */
export function readMessages(value: unknown): readonly MailMessage[] {
  if (!isObject(value)) return [];
  const list = Array.isArray(value["messages"]) ? value["messages"] : [value];
  return list.filter(isObject).map((message) => ({
    messageId: text(message, "messageId") || text(message, "id"),
    threadId: text(message, "threadId") || text(value, "threadId"),
    from: text(message, "from"),
    subject: text(message, "subject"),
    date: text(message, "date"),
    text: text(message, "text") || text(message, "body"),
    attachments: listOf(message["attachments"])
      .filter(isObject)
      .map((entry) => ({
        filename: text(entry, "filename"),
        mimeType: text(entry, "mimeType"),
        attachmentId: text(entry, "attachmentId"),
      })),
  }));
}

export function text(value: unknown, field: string): string {
  const found = isObject(value) ? value[field] : undefined;
  return typeof found === "string" ? found : typeof found === "number" ? String(found) : "";
}

/** The display name: "Eva Lang" for "Eva Lang <eva@x.example>". */
export function nameOf(from: string): string {
  return /^"?([^"<]+?)"?\s*</.exec(from)?.[1] ?? from;
}

export function addressOf(from: string): string {
  return /<([^<>\s]+@[^<>\s]+)>/.exec(from)?.[1] ?? from.trim();
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
