import { extractFields } from "../reading/extract-fields.ts";
import { readDocumentView, type DocumentView } from "../reading/document-view.ts";
import type { FoundField } from "../reading/find-labeled.ts";
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

interface MailFlowContext {
  readonly report: Report;
  readonly words: MailWords;
}

/**
 * Finds the mail, fetches and reads its document and checks the fields. Undefined when a step
 * failed.
 */
export function* readDocument(
  task: MailTask,
  context: MailFlowContext,
): MailFlow<ReadDocument | undefined> {
  const found = yield* searchMail(task, context.report, context.words);
  // Try the best match, and one more in case it has nothing to read.
  for (const [index, match] of (found?.matches ?? []).slice(0, 2).entries()) {
    const isLast = index === Math.min(2, found?.matches.length ?? 0) - 1;
    const messages = yield* readMatch(match, false, context);
    const message = messages === undefined ? undefined : withAttachment(messages, match);
    if (message === undefined) return undefined;
    const attachments = rankAttachments(message.attachments, task.search);
    if (attachments.length > 0) return yield* readAttachments(message, attachments, context);
    if (isLast) return fromText(message, context);
  }
  return undefined;
}

/** The message that was found, or the last one in its thread that has an attachment. */
function withAttachment(
  messages: readonly MailMessage[],
  match: SearchMatch,
): MailMessage | undefined {
  const own = messages.find(({ messageId }) => messageId === match.messageId);
  return own !== undefined && own.attachments.length > 0
    ? own
    : (messages.findLast(({ attachments }) => attachments.length > 0) ?? own ?? messages.at(-1));
}

/** Reads the best attachment, and the next one if it cannot be read. */
function* readAttachments(
  message: MailMessage,
  attachments: readonly AttachmentEntry[],
  context: MailFlowContext,
): MailFlow<ReadDocument | undefined> {
  for (const attachment of attachments.slice(0, 2)) {
    const file = yield* fetchAttachment(message, attachment, context);
    if (file === undefined) return undefined;
    const outcome = yield {
      role: "document",
      args: { digest: file.digest, name: file.filename, mediaType: file.mediaType },
      detail: file.filename,
    };
    if (outcome.status === "done") {
      context.report.add(context.words.readFile(file.filename));
      const view = readDocumentView(outcome.value);
      const fields = yield* checkFields(extractFields(view), file, context);
      return finish({ message, source: file.filename, fields, file }, view, context);
    }
    context.report.add(explain("document", outcome, context.words));
    if (outcome.status === "missing") return undefined;
  }
  return undefined;
}

/** Attachment ids change, so a second attempt uses the name only. */
function* fetchAttachment(
  { messageId }: MailMessage,
  { filename, attachmentId, mimeType }: AttachmentEntry,
  { report, words }: MailFlowContext,
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
    report.add(
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

/**
 * Drops values that the tool did not find in the document. Computed sums and counts are not sent to
 * the tool because they do not appear in the document.
 */
function* checkFields(
  found: readonly FoundField[],
  file: NonNullable<ReadDocument["file"]>,
  { report, words }: MailFlowContext,
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
    report.add(explain("fields", outcome, words));
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

function fromText(message: MailMessage, context: MailFlowContext): ReadDocument | undefined {
  context.report.add(context.words.noAttachment(message.subject));
  const view = readDocumentView(message.text);
  return finish({ message, source: message.subject, fields: extractFields(view) }, view, context);
}

function finish(
  document: ReadDocument,
  { isTruncated, warnings }: DocumentView,
  { report, words }: MailFlowContext,
): ReadDocument | undefined {
  report.add(...warnings);
  if (isTruncated) report.add(words.cut(document.source));
  if (document.fields.length > 0) return document;
  report.add(words.noFields(document.source));
  return undefined;
}
