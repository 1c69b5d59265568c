import { readDocument, type ReadDocument } from "./document-flow.ts";
import type { Report } from "../flow/flow.ts";
import { explain, type MailFlow } from "./mail-flow.ts";
import { sayLongDay, sayShortDay, sayTimeInUtc } from "../when/say-when.ts";
import { addressOf, nameOf, text, type MailMessage } from "./mail-results.ts";
import type { MailTask, Recipients } from "./mail-task.ts";
import { listFields } from "./mail-words.ts";
import { sayCount } from "./say-count.ts";
import { readMatch, searchMail } from "./search-flow.ts";
import { keySentences } from "./key-sentences.ts";
import type { MailWords } from "./words/mail-words-shape.ts";
import { sendDraft, writeEmail } from "./write-flow.ts";

export interface MailFlowDeps {
  readonly report: Report;
  readonly words: MailWords;
  /** The draft of an earlier task that "send it" may refer to. */
  readonly earlierDraft?: {
    readonly draftId: string;
    readonly to: string;
    readonly subject: string;
  };
}

/** Carries out a mail task, one call at a time. */
export function* runMailTask(task: MailTask, deps: MailFlowDeps): MailFlow {
  switch (task.kind) {
    case "document":
      return yield* documentTask(task, deps);
    case "read":
      return yield* readTask(task, deps);
    case "reply":
      return yield* replyTask(task, deps);
    case "compose":
      return yield* composeTask(task, deps);
    case "count":
    case "list":
      return yield* searchTask(task, deps);
    case "sendDraft":
      if (deps.earlierDraft === undefined) return deps.report.add(deps.words.noDraft);
      return yield* sendDraft(deps.earlierDraft.draftId, deps.earlierDraft, deps);
  }
}

function* documentTask(task: MailTask, { report, words }: MailFlowDeps): MailFlow {
  const document = yield* readDocument(task, { report, words });
  if (document === undefined) return;
  const asked = document.fields.filter(({ key }) =>
    task.fields.some((names) => names.includes(key)),
  );
  const missing = task.fields
    .filter((names) => !document.fields.some(({ key }) => names.includes(key)))
    .map(([name = ""]) => words.fieldNames[name] ?? name);
  const shown = asked.length > 0 ? asked : document.fields;
  report.add(words.fieldsOf(document.source), listFields(shown, words));
  if (missing.length > 0) report.add(words.notInDocument(missing.join(", ")));
  if (task.outcome === "nothing") return;
  const { message, file, source } = document;
  const recipients = recipientsOf(task, message);
  const start = words.bodyStart(
    source,
    message.subject,
    nameOf(message.from),
    sayLongDay(message.date, words.language),
  );
  const bodyText = [
    words.greeting(firstNameOf(recipients)),
    start,
    listFields(shown, words),
    ...(task.bodyText === undefined ? [] : [task.bodyText]),
    words.bodyEnd,
  ].join("\n\n");
  yield* writeEmail(
    {
      recipients,
      subject: task.subject ?? words.summarySubject(subjectOf(document)),
      bodyText: `${bodyText}\n`,
      ...(task.isReply ? { threadId: message.threadId } : {}),
      ...(task.attaches && file !== undefined ? { attachments: [file] } : {}),
    },
    task.outcome,
    { report, words },
  );
}

/** A reply without addresses goes to the sender. No other address is guessed. */
function recipientsOf({ recipients, isReply }: MailTask, message: MailMessage): Recipients {
  return recipients.to.length > 0 || !isReply
    ? recipients
    : { ...recipients, to: [addressOf(message.from)] };
}

const sharedMailbox =
  /^(?:info|office|hello|hi|mail|contact|team|sales|support|billing|accounts?|accounting|service|orders?|admin|finance|invoices?|bookkeeping|all|everyone|buero|kontakt|rechnung(?:en)?|comptabilite)$/i;

/** The first name in the only recipient's address ("eva.lang@x.example"), else an empty text. */
function firstNameOf({ to }: Recipients): string {
  const [, name = ""] =
    to.length === 1 ? (/^([a-z]{3,})(?:[._-][a-z]+)?@/i.exec(to[0] ?? "") ?? []) : [];
  return sharedMailbox.test(name) ? "" : name.charAt(0).toUpperCase() + name.slice(1);
}

function subjectOf({ message, source }: ReadDocument): string {
  return message.subject.replace(/^(?:(?:re|fwd?|aw|wg|tr)\s*:\s*)+/i, "") || source;
}

function* readTask(task: MailTask, { report, words }: MailFlowDeps): MailFlow {
  const found = yield* searchMail(task, report, words);
  const [best] = found?.matches ?? [];
  if (best === undefined) return;
  const messages = yield* readMatch(best, true, { report, words });
  const message =
    messages?.find(({ messageId }) => messageId === best.messageId) ?? messages?.at(-1);
  if (message === undefined) return;
  const sentences = keySentences(message, [...task.search.words, ...task.search.phrases]);
  const said =
    sentences.length === 0 ? [words.emptyMail] : sentences.map((sentence) => `- ${sentence}`);
  const summary = [
    words.wrote(nameOf(message.from), sayLongDay(message.date, words.language), message.subject),
    ...said,
  ].join("\n");
  report.add(summary);
  if (task.outcome === "nothing") return;
  const email = {
    recipients: recipientsOf(task, message),
    subject: task.subject ?? words.summarySubject(message.subject),
    bodyText: `${summary}\n\n${words.bodyEnd}\n`,
  };
  yield* writeEmail(email, task.outcome, { report, words });
}

function* replyTask(task: MailTask, { report, words }: MailFlowDeps): MailFlow {
  if (task.bodyText === undefined) return report.add(words.whatText);
  const found = yield* searchMail(task, report, words);
  const [best] = found?.matches ?? [];
  if (best === undefined) return;
  const messages = yield* readMatch(best, true, { report, words });
  if (messages === undefined) return;
  if (task.outcome === "send" && task.recipients.to.length === 0) {
    const outcome = yield {
      role: "reply",
      args: {
        threadId: best.threadId,
        bodyText: task.bodyText,
        ...(task.isToEveryone ? { everyone: true } : {}),
      },
      detail: best.subject,
    };
    if (outcome.status === "done")
      return report.add(
        words.replied(
          nameOf(best.from),
          sayTimeInUtc(text(outcome.value, "sentAt"), words.language),
        ),
      );
    if (outcome.status !== "missing") return report.add(explain("reply", outcome, words));
  }
  const message = messages.find(({ messageId }) => messageId === best.messageId) ?? messages.at(-1);
  const to =
    task.recipients.to.length > 0 ? task.recipients.to : [addressOf(message?.from ?? best.from)];
  const subject =
    task.subject ?? (/^re:/i.test(best.subject) ? best.subject : `Re: ${best.subject}`);
  yield* writeEmail(
    {
      recipients: { ...task.recipients, to },
      subject,
      bodyText: task.bodyText,
      threadId: best.threadId,
    },
    task.outcome,
    { report, words },
  );
}

function* composeTask(task: MailTask, { report, words }: MailFlowDeps): MailFlow {
  if (task.recipients.to.length === 0) return report.add(words.whichAddress);
  const bodyText = task.bodyText ?? task.subject;
  if (bodyText === undefined) return report.add(words.whatText);
  const subject =
    task.subject ??
    bodyText
      .split(/[.!?\n]/)[0]
      ?.split(/\s+/)
      .slice(0, 8)
      .join(" ") ??
    "";
  yield* writeEmail(
    { recipients: task.recipients, subject, bodyText },
    task.outcome === "nothing" ? "draft" : task.outcome,
    { report, words },
  );
}

function* searchTask(task: MailTask, { report, words }: MailFlowDeps): MailFlow {
  const found = yield* searchMail(task, report, words);
  if (found === undefined) return;
  const count = found.matches.length;
  if (task.kind === "count")
    return report.add(sayCount({ ...found, count, search: task.search }, words.language));
  report.add(
    words.found(count),
    ...found.matches
      .slice(0, 10)
      .map(({ date, from, subject, snippet }) =>
        words.line(
          sayShortDay(date, words.language),
          nameOf(from),
          task.isSummary && snippet !== "" ? `${subject} (${snippet})` : subject,
        ),
      ),
  );
}
