import { omitUndefined } from "@bron/protocol";
import { takeOutQuotes } from "../planner/quotes.ts";
import { takeAskedFields } from "./asked-fields.ts";
import { intent } from "./intent-words.ts";
import { detectLanguage } from "./language.ts";
import type { MailTask, MailTaskKind } from "./mail-task.ts";
import { createScratch, type Scratch } from "./scratch.ts";
import { takeOwnWords } from "./take-own-words.ts";
import { takeRecipients } from "./take-recipients.ts";
import { takeDocument, takeSearch } from "./take-search.ts";
import { takeSender } from "./take-sender.ts";

/** A mail task that depends on a future event is recognized but not supported. */
export type UnderstoodMail = { readonly task: MailTask } | { readonly condition: string };

/** The limit counts characters outside quotations. Longer tasks would keep the server busy. */
const longestTask = 2_000;

/** Returns undefined when the task is not about mail. */
export function understandMail(words: string): UnderstoodMail | undefined {
  const { text, restore } = takeOutQuotes(words);
  if (text.length > longestTask) return undefined;
  const scratch = createScratch(text.replace(/\s+/g, " ").trim());
  const writes =
    scratch.has(intent.drafting) || scratch.has(intent.sending) || scratch.has(intent.replying);
  const isAboutDocument = scratch.has(intent.extracting);
  const own = writes ? takeOwnWords(scratch, restore, !isAboutDocument) : { endsInSend: false };
  const signs = readSigns(scratch);
  const sender = takeSender(scratch, restore);
  const recipients = takeRecipients(scratch);
  const hasRecipient = recipients.to.length > 0;
  const document = takeDocument(scratch);
  const fields = takeAskedFields(scratch);
  const search = takeSearch(scratch, { ...omitUndefined({ sender }), ...document }, restore);

  const isMail =
    signs.mail ||
    (signs.wroteToMe && sender !== undefined) ||
    document !== undefined ||
    search.fileTypes.length > 0 ||
    search.hasAttachment ||
    (hasRecipient && writes) ||
    (signs.replying && sender !== undefined);
  const doesSomething =
    writes ||
    signs.finding ||
    signs.extracting ||
    signs.summarising ||
    signs.reading ||
    signs.counting;
  if (!isMail || !doesSomething) return undefined;
  if (signs.waiting) return { condition: words };

  const hasTarget =
    sender !== undefined ||
    document !== undefined ||
    search.fileTypes.length > 0 ||
    search.age !== undefined ||
    (signs.finding && signs.mail);
  const kind = chooseKind({
    ...signs,
    hasTarget,
    hasBody: own.bodyText !== undefined,
    isDocument: document !== undefined || search.fileTypes.length > 0 || search.hasAttachment,
    hasFields: fields.length > 0,
  });
  const sends = (signs.sending && !signs.notSending) || own.endsInSend;
  const mustWrite =
    kind === "compose" ||
    kind === "reply" ||
    signs.drafting ||
    (signs.replying && kind === "document") ||
    (sends && (hasRecipient || !/\b(?:me|mir|moi)\b/i.test(scratch.text())));
  const task: MailTask = {
    kind,
    search,
    recipients,
    fields,
    language: detectLanguage(words),
    outcome:
      !mustWrite || kind === "count"
        ? "nothing"
        : sends || (signs.replying && !signs.drafting && !signs.notSending)
          ? "send"
          : "draft",
    isSummary: signs.summarising,
    isReply: signs.replying,
    isToEveryone: signs.everyone,
    attaches: signs.attaching,
    ...omitUndefined({ subject: own.subject, bodyText: own.bodyText }),
  };
  return { task };
}

type Signs = Readonly<Record<keyof typeof intent, boolean>>;

/** "What did Eva write" does not ask the model to write. */
function readSigns(scratch: Scratch): Signs {
  const signs = Object.fromEntries(
    Object.entries(intent).map(([name, pattern]) => [name, scratch.has(pattern)]),
  ) as Signs;
  return signs.wroteToMe && !scratch.has(/@/)
    ? { ...signs, drafting: false, sending: false }
    : signs;
}

interface KindSigns extends Signs {
  readonly hasTarget: boolean;
  readonly hasBody: boolean;
  readonly isDocument: boolean;
  readonly hasFields: boolean;
}

function chooseKind({
  hasTarget,
  hasBody,
  isDocument,
  hasFields,
  ...signs
}: KindSigns): MailTaskKind {
  if (signs.counting) return "count";
  if (
    !signs.extracting &&
    !signs.sending &&
    !signs.drafting &&
    !signs.replying &&
    (signs.several || (signs.summarising && signs.manyMails && !isDocument))
  )
    return "list";
  const looksInside =
    signs.extracting ||
    (isDocument &&
      (hasFields || signs.summarising || signs.sending || signs.drafting || signs.reading));
  if (signs.replying && (hasBody || !looksInside)) return "reply";
  if (hasTarget && looksInside && !(hasBody && !isDocument)) return "document";
  if ((signs.sending || signs.drafting) && (hasBody || !hasTarget)) return "compose";
  if (signs.summarising || signs.reading || signs.sending || signs.drafting) return "read";
  return "list";
}
