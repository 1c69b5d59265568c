import { extractFields } from "../reading/extract-fields.ts";
import { readDocumentView, type DocumentView } from "../reading/document-view.ts";
import type { FoundField } from "../reading/find-labelled.ts";
import { isObject } from "../wire.ts";
import { rankAttachments } from "./choose-mail.ts";
import type { Report } from "../flow/flow.ts";
import { explain, type MailFlow } from "./mail-flow.ts";
import { text, type AttachmentEntry, type MailMessage, type SearchMatch } from "./mail-results.ts";
import type { MailTask } from "./mail-task.ts";
import { readMatch, searchMail } from "./search-flow.ts";
import type { MailWords } from "./words/mail-words-shape.ts";

export interface ReadDocument {
  readonly message: MailMessage;
  /** The file's name, or the mail's subject. */
  readonly source: string;
  readonly fields: readonly FoundField[];
  readonly file?: {
    readonly digest: string;
    readonly filename: string;
    readonly mediaType: string;
  };
}

interface Say {
  readonly report: Report;
  readonly words: MailWords;
}

/** Finds the mail, fetches its document, reads it and has the fields checked. Undefined when something was in the way. */
export function* readDocument(task: MailTask, say: Say): MailFlow<ReadDocument | undefined> {
  const found = yield* searchMail(task, say.report, say.words);
  // The best match, and one more in case it has nothing to read.
  for (const [index, match] of (found?.matches ?? []).slice(0, 2).entries()) {
    const isLast = index === Math.min(2, found?.matches.length ?? 0) - 1;
    const messages = yield* readMatch(match, false, say);
    const message = messages === undefined ? undefined : withAttachment(messages, match);
    if (message === undefined) return undefined;
    const attachments = rankAttachments(message.attachments, task.search);
    if (attachments.length > 0) return yield* readAttachments(message, attachments, say);
    if (isLast) return fromText(message, say);
  }
  return undefined;
}

/** In a conversation, the message that was found; if it has no file, the last one that has. */
function withAttachment(
  messages: readonly MailMessage[],
  match: SearchMatch,
): MailMessage | undefined {
  const own = messages.find(({ messageId }) => messageId === match.messageId);
  return own !== undefined && own.attachments.length > 0
    ? own
    : (messages.findLast(({ attachments }) => attachments.length > 0) ?? own ?? messages.at(-1));
}

/** The best attachment, and another one if the first cannot be read. */
function* readAttachments(
  message: MailMessage,
  attachments: readonly AttachmentEntry[],
  say: Say,
): MailFlow<ReadDocument | undefined> {
  for (const attachment of attachments.slice(0, 2)) {
    const file = yield* fetchAttachment(message, attachment, say);
    if (file === undefined) return undefined;
    const outcome = yield {
      role: "document",
      args: { digest: file.digest, name: file.filename, mediaType: file.mediaType },
      detail: file.filename,
    };
    if (outcome.status === "done") {
      say.report.say(say.words.readFile(file.filename));
      const view = readDocumentView(outcome.value);
      const fields = yield* checkFields(extractFields(view), file, say);
      return finish({ message, source: file.filename, fields, file }, view, say);
    }
    say.report.say(explain("document", outcome, say.words));
    if (outcome.status === "missing") return undefined;
  }
  return undefined;
}

/** Ids of attachments change, so that a second try goes by the name alone. */
function* fetchAttachment(
  { messageId }: MailMessage,
  { filename, attachmentId, mimeType }: AttachmentEntry,
  { report, words }: Say,
): MailFlow<ReadDocument["file"]> {
  const tries = [
    { messageId, filename, ...(attachmentId === "" ? {} : { attachmentId }) },
    ...(attachmentId === "" ? [] : [{ messageId, filename }]),
  ];
  for (const [index, args] of tries.entries()) {
    const outcome = yield { role: "attachment", args, detail: filename };
    const digest = outcome.status === "done" ? text(outcome.value, "digest") : "";
    if (outcome.status === "done" && digest !== "")
      return {
        digest,
        filename: text(outcome.value, "filename") || filename,
        mediaType: text(outcome.value, "mimeType") || text(outcome.value, "mediaType") || mimeType,
      };
    if (outcome.status === "failed" && index < tries.length - 1) continue;
    report.say(
      explain(
        "attachment",
        outcome.status === "done" ? { status: "failed", message: "no digest came back" } : outcome,
        words,
      ),
    );
    return undefined;
  }
  return undefined;
}

/** What the tool did not find in the document is dropped. Sums and counts of ours it could not find, so it is not asked about them. */
function* checkFields(
  found: readonly FoundField[],
  file: NonNullable<ReadDocument["file"]>,
  { report, words }: Say,
): MailFlow<readonly FoundField[]> {
  const written = found.filter(({ isCounted }) => isCounted !== true);
  if (written.length === 0) return found;
  const outcome = yield {
    role: "fields",
    args: {
      digest: file.digest,
      source: file.filename,
      fields: written.map(({ key, value, confidence }) => ({ key, value, confidence })),
    },
    detail: file.filename,
  };
  if (outcome.status === "missing") return found;
  if (outcome.status !== "done") {
    report.say(explain("fields", outcome, words));
    return found;
  }
  const checked =
    isObject(outcome.value) && Array.isArray(outcome.value["fields"])
      ? outcome.value["fields"].filter(isObject)
      : [];
  const refused = new Set(
    checked.filter((field) => field["found"] === false).map((field) => text(field, "key")),
  );
  return found.filter(({ key, isCounted }) => isCounted === true || !refused.has(key));
}

function fromText(message: MailMessage, say: Say): ReadDocument | undefined {
  say.report.say(say.words.noAttachment(message.subject));
  const view = readDocumentView(message.text);
  return finish({ message, source: message.subject, fields: extractFields(view) }, view, say);
}

function finish(
  document: ReadDocument,
  { isTruncated, warnings }: DocumentView,
  { report, words }: Say,
): ReadDocument | undefined {
  report.say(...warnings);
  if (isTruncated) report.say(words.cut(document.source));
  if (document.fields.length > 0) return document;
  report.say(words.noFields(document.source));
  return undefined;
}
