import type { Report } from "../flow/flow.ts";
import { sayTimeInUtc } from "../when/say-when.ts";
import { call, type MailFlow } from "./mail-flow.ts";
import { text } from "./mail-results.ts";
import type { MailTask, Recipients } from "./mail-task.ts";
import type { MailWords } from "./words/mail-words-shape.ts";

export interface EmailContent {
  readonly recipients: Recipients;
  readonly subject: string;
  readonly bodyText: string;
  readonly threadId?: string;
  readonly attachments?: readonly {
    readonly digest: string;
    readonly filename: string;
    readonly mediaType: string;
  }[];
}

interface MailFlowContext {
  readonly report: Report;
  readonly words: MailWords;
}

/** Saves a draft first, so the owner sees it before approving the send. */
export function* writeEmail(
  email: EmailContent,
  outcome: MailTask["outcome"],
  context: MailFlowContext,
): MailFlow {
  const { recipients, subject, bodyText, threadId, attachments = [] } = email;
  const { to, cc, bcc } = recipients;
  if (to.length === 0) return context.report.add(context.words.whichAddress);
  const args = {
    to,
    ...(cc.length > 0 ? { cc } : {}),
    ...(bcc.length > 0 ? { bcc } : {}),
    subject: oneLine(subject),
    bodyText,
    ...(threadId === undefined || threadId === "" ? {} : { threadId }),
    ...(attachments.length > 0 ? { attachments } : {}),
  };
  const made = yield* call(
    { role: "draft", args, detail: oneLine(subject) },
    context.report,
    context.words,
  );
  if (made === undefined) return;
  const draftId = text(made.value, "draftId") || text(made.value, "id");
  if (outcome === "send" && draftId !== "")
    return yield* sendDraft(draftId, { to: to.join(", "), subject: oneLine(subject) }, context);
  context.report.add(context.words.drafted(oneLine(subject), to.join(", "), draftId));
}

export function* sendDraft(
  draftId: string,
  { to, subject }: { readonly to: string; readonly subject: string },
  { report, words }: MailFlowContext,
): MailFlow {
  const sent = yield* call(
    { role: "sendDraft", args: { draftId }, detail: draftId },
    report,
    words,
  );
  if (sent !== undefined)
    report.add(words.sent(subject, to, sayTimeInUtc(text(sent.value, "sentAt"), words.language)));
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, " ").trim().slice(0, 200);
}
