import type { Report } from "../flow/flow.ts";
import { sayTimeInUtc } from "../when/say-when.ts";
import { call, type MailFlow } from "./mail-flow.ts";
import { text } from "./mail-results.ts";
import type { MailTask, Recipients } from "./mail-task.ts";
import type { MailWords } from "./words/mail-words-shape.ts";

export interface Letter {
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

interface Say {
  readonly report: Report;
  readonly words: MailWords;
}

/** A draft first, so that the person sees it; then, if that was asked for, it is sent, which is when they decide. */
export function* writeLetter(letter: Letter, outcome: MailTask["outcome"], say: Say): MailFlow {
  const { recipients, subject, bodyText, threadId, attachments = [] } = letter;
  const { to, cc, bcc } = recipients;
  if (to.length === 0) return say.report.say(say.words.whichAddress);
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
    say.report,
    say.words,
  );
  if (made === undefined) return;
  const draftId = text(made.value, "draftId") || text(made.value, "id");
  if (outcome === "send" && draftId !== "")
    return yield* sendDraft(draftId, { to: to.join(", "), subject: oneLine(subject) }, say);
  say.report.say(say.words.drafted(oneLine(subject), to.join(", "), draftId));
}

export function* sendDraft(
  draftId: string,
  { to, subject }: { readonly to: string; readonly subject: string },
  { report, words }: Say,
): MailFlow {
  const sent = yield* call(
    { role: "sendDraft", args: { draftId }, detail: draftId },
    report,
    words,
  );
  if (sent !== undefined)
    report.say(words.sent(subject, to, sayTimeInUtc(text(sent.value, "sentAt"), words.language)));
}

function oneLine(words: string): string {
  return words.replace(/\s+/g, " ").trim().slice(0, 200);
}
