import type { Conversation } from "../conversation.ts";
import { readOutcome } from "../planner/tool-outcome.ts";
import { takeOutQuotes } from "../planner/quotes.ts";
import { foldText } from "../reading/fold-text.ts";
import { takeAskedFields } from "./asked-fields.ts";
import { intent } from "./intent-words.ts";
import { detectLanguage } from "./language.ts";
import { text } from "./mail-results.ts";
import type { MailTask } from "./mail-task.ts";
import { createScratch } from "./scratch.ts";
import { takeRecipients } from "./take-recipients.ts";
import { takeSender } from "./take-sender.ts";
import type { MailFlowDeps } from "./task-flow.ts";
import { understandMail, type UnderstoodMail } from "./understand-mail.ts";

type EarlierDraft = NonNullable<MailFlowDeps["earlierDraft"]>;
export type ResolvedMailTask =
  | Exclude<UnderstoodMail, { task: MailTask }>
  | { readonly task: MailTask; readonly earlierDraft?: EarlierDraft };

const bareSend =
  /^(?:(?:yes|ok|okay|please|now|then|and|ja|gut|bitte|jetzt|nun|dann|oui|bien|maintenant|alors)[,.!]?\s+)*(?:send (?:it|that|this|the (?:draft|mail|e-?mail))|sende?(?: es| ihn| sie| den entwurf| die mail)?|schicke? (?:es|ihn|sie|den entwurf|die mail)(?: bitte| jetzt)?(?: ab)?|envoie(?:-l[ea]| le brouillon| le mail)?|envoyez(?:-l[ea])?)(?:\s+(?:now|please|off|ab|jetzt|bitte|maintenant|s'il te plait|s'il vous plait))*[.!]*$/;
const shortReply = 120;

/** Resolves the task from the message, together with earlier messages if needed. */
export function resolveMailTask({
  task,
  earlierMessages,
  earlierResults,
}: Conversation): ResolvedMailTask | undefined {
  const own = understandMail(task);
  const previous = earlierMessages
    .filter(({ by }) => by === "user")
    .flatMap(({ text: said }) => understandMail(said) ?? [])
    .flatMap((one) => ("task" in one ? [one.task] : []))
    .at(-1);
  if (bareSend.test(foldText(task.trim()))) {
    const earlierDraft = findDraft(earlierResults, earlierMessages);
    if (earlierDraft !== undefined)
      return { task: { ...emptyTask(task), kind: "sendDraft", outcome: "send" }, earlierDraft };
    if (previous !== undefined)
      return { task: { ...previous, outcome: "send", language: detectLanguage(task) } };
    return undefined;
  }
  const isComplete =
    own !== undefined &&
    ("condition" in own ||
      own.task.kind === "count" ||
      own.task.bodyText !== undefined ||
      hasTarget(own.task));
  if (isComplete || previous === undefined || task.length > shortReply) return own;
  return followUp(task, previous) ?? own;
}

function hasTarget({ search }: MailTask): boolean {
  return (
    search.sender !== undefined ||
    search.document !== undefined ||
    search.words.length +
      search.phrases.length +
      search.fileTypes.length +
      search.operators.length >
      0
  );
}

/**
 * Follow-ups such as "And to bob@x.example", "what about Contoso?" and "and the due date?" change
 * the previous task.
 */
function followUp(words: string, previous: MailTask): ResolvedMailTask | undefined {
  const { text: unquoted, restore } = takeOutQuotes(words);
  const scratch = createScratch(unquoted.replace(/\bwhat about (?=\p{Lu})/u, "from "));
  const sends = scratch.has(intent.sending) && !scratch.has(intent.notSending);
  const drafts = scratch.has(intent.drafting);
  const sender = takeSender(scratch, restore);
  const recipients = takeRecipients(scratch);
  const fields = takeAskedFields(scratch);
  const language = detectLanguage(words);
  if (recipients.to.length > 0)
    return {
      task: {
        ...previous,
        language,
        recipients,
        outcome: sends
          ? "send"
          : drafts || previous.outcome === "nothing"
            ? "draft"
            : previous.outcome,
      },
    };
  if (sender !== undefined)
    return { task: { ...previous, language, search: { ...previous.search, sender } } };
  if (fields.length > 0 && previous.kind === "document")
    return { task: { ...previous, language, fields, outcome: "nothing" } };
  return undefined;
}

/**
 * The sentence about a saved draft, in each language, and below it as earlier versions wrote it.
 */
const draftSentences = [
  /(?:to|an|pour) (?<to>\S+@[^\s:]+?)(?: gespeichert| enregistré)? ?: ["„«]\s?(?<subject>[^"“»]+?)\s?["“»] \((?:draft|Entwurf|brouillon) (?<draftId>[^\s)]+)\)/u,
  /["„«]\s?(?<subject>[^"“»]+?)\s?["“»] (?:to|an|pour) (?<to>\S+@\S+?)(?: ist geschrieben| est écrit)? \((?:draft|Entwurf|brouillon) (?<draftId>[^\s)]+)\)/u,
];

/** Finds the last draft by its tool result, else by this model's own message about it. */
function findDraft(
  results: Conversation["earlierResults"],
  words: Conversation["earlierMessages"],
): EarlierDraft | undefined {
  const made = results.findLast(
    ({ name }) => name === "gmail_draft_create" || name === "gmail_createDraft",
  );
  const outcome = made === undefined ? undefined : readOutcome("post", made.response);
  if (made !== undefined && outcome?.status === "done" && text(outcome.value, "draftId") !== "") {
    return {
      draftId: text(outcome.value, "draftId"),
      to: Array.isArray(made.args["to"]) ? made.args["to"].join(", ") : "",
      subject: text(made.args, "subject"),
    };
  }
  const found = words
    .filter(({ by }) => by === "model")
    .map(({ text: said }) =>
      draftSentences.map((sentence) => sentence.exec(said)).find((match) => match !== null),
    )
    .findLast((match) => match !== undefined);
  const { draftId, to = "", subject = "" } = found?.groups ?? {};
  return draftId === undefined ? undefined : { draftId, to, subject };
}

function emptyTask(words: string): MailTask {
  return {
    kind: "list",
    language: detectLanguage(words),
    outcome: "nothing",
    isReply: false,
    isToEveryone: false,
    attaches: false,
    isSummary: false,
    fields: [],
    recipients: { to: [], cc: [], bcc: [] },
    search: { words: [], phrases: [], fileTypes: [], hasAttachment: false, operators: [] },
  };
}
