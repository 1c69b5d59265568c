import { noConversation } from "../conversation.ts";
import type { JsonObject } from "../wire.ts";
import { quoted } from "../words/quoted.ts";
import { asItIs, passedOver } from "./word-lists.ts";
import type { Given, ReadReply, Reply, Step } from "../recipe/recipe.ts";
import { type SlotReader } from "../recipe/slot.ts";
import { readChanges } from "../recipe/understand.ts";
import { fieldOf, listOf, textOf } from "./json.ts";
import { addresses, addressOf } from "./people.ts";
import {
  addressFor,
  copies,
  lookUp,
  moreNames,
  toName,
  withoutPeople,
  type AddressValues,
} from "./find-address.ts";
import {
  has,
  laterChanges,
  revise,
  shorten,
  subject,
  takeEmailChange,
  type EmailChange,
} from "./revise-email.ts";
import { describeSent, readSent, type SentEmail } from "./sent-email.ts";

/** The values of a request that may end with an email. */
export interface EmailValues extends AddressValues {
  to?: readonly string[];
  delivery?: "send" | "draft";
  cc?: readonly string[];
  subject?: string;
  email?: Email;
  /** What the owner wants to be changed, in order. */
  changes?: readonly EmailChange[];
  form?: EmailForm;
  /** The words ask for a draft on the way. */
  isDrafted?: boolean;
  draftId?: string;
  sent?: SentEmail;
}

interface Email {
  readonly subject: string;
  readonly body: string;
  /** Adds a greeting and an ending. */
  readonly isSummary?: true;
  readonly threadId?: string | undefined;
  readonly attachments?: readonly unknown[] | undefined;
}

interface EmailForm {
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly subject: string;
  readonly bodyText: string;
  readonly threadId?: string | undefined;
  readonly attachments?: readonly unknown[] | undefined;
}

const address = "[a-z0-9._%+-]+@";
const held =
  /[,.;]?\s*(?:\b(?:but|and) )?(?:please )?\b(?:do not|don't|never|without)\s+send\w*(?: it)?(?: yet)?|\bonly (?:as )?a draft\b|\bready to send\b/;
const sends = new RegExp(
  `^\\s*(?:please |(?:can|could|would) you )*(?:e-?mail|mail)\\s+(?=[a-z]|$)(?!(?:from|about|in|of|with|for|me|my|saying)\\b)|\\b(?:send|sends|forward|share)\\b(?: (?:it|them|that|the same)\\b)?|(?<!\\b(?:an?|the|my|this|that|in|by|per|unread)\\s)\\b(?:e-?mail|mail)\\s+(?=(?:it|them|that|this|the|an?|its|my|me|${address}))(?:it|them|that)?`,
);
const drafts =
  /\b(?:draft|prepare|compose)\b(?: an?)?(?: e-?mails?| mails?)|\bin an? e?-?mail to\b|\bdraft\b/;
const writes = /\bwrite\b(?: an?)?(?: e-?mails?| mails?)/;

/** "send", "draft", or nothing if the request does not ask for an email. */
const delivery: SlotReader<"send" | "draft"> = (text) => {
  const isHeld = text.take(held) !== undefined;
  const isSent = text.take(sends) !== undefined;
  const isDrafted = text.take(drafts) !== undefined;
  const isWritten = text.take(writes) !== undefined;
  if (isHeld) return "draft";
  if (isSent) return "send";
  return isDrafted ? "draft" : isWritten ? "send" : undefined;
};

/** The slots of a request that may end with an email. */
export const emailSlots = {
  isDrafted: ((text) => text.has(/\bdraft|\bprepare\b/)) as SlotReader<boolean>,
  cc: copies,
  toName,
  delivery,
  to: ((text, context) => [
    ...(addresses(text, context) ?? []),
    ...(moreNames(text, context) ?? []),
  ]) as SlotReader<readonly string[]>,
  subject,
};

const laterDelivery: SlotReader<"send" | "draft"> = (text) =>
  text.has(held) ? "draft" : text.has(sends) ? "send" : undefined;

/** What a later message may change in the email of a request. */
export const emailLater = { delivery: laterDelivery, changes: laterChanges };

/** Whether the request says "forward". Must be read before the delivery, which takes the word. */
export const forwards: SlotReader<boolean> = (text) => text.has(/\bforward\b(?=.*@)/);

/** The form that the owner sees at an approval. */
interface Shown {
  readonly to: readonly string[];
  readonly cc?: readonly string[] | undefined;
  readonly text: string;
}

/** The changes that the owner wants at an approval, after those that they made themselves. */
export function readEmailReply(
  { words, edit }: Reply,
  { changes = [], form }: Pick<EmailValues, "changes" | "form">,
  shown: Shown = { to: form?.to ?? [], cc: form?.cc, text: form?.bodyText ?? "" },
): ReadReply<{ changes: readonly EmailChange[] }> | undefined {
  const own = editAsChange(edit);
  const { to, cc, text } = { ...shown, ...own };
  const reader: SlotReader<readonly EmailChange[]> = (rest) => {
    const change = takeEmailChange(rest, text);
    return change === undefined ? undefined : [change];
  };
  const context = { conversation: noConversation, today: "" };
  const isSame = asItIs.test(words);
  const { slots, left } = isSame
    ? { slots: {} as JsonObject, left: [] }
    : readChanges({ changes: reader }, words, context, passedOver);
  const wanted = slots["changes"] as readonly EmailChange[] | undefined;
  if (wanted === undefined && !isSame) return undefined;
  const edited = Object.keys(edit).length > 0 ? [own] : [];
  const [change = {}] = wanted ?? [];
  const values = { changes: [...changes, ...edited, ...(wanted ?? [])] };
  const { removed = [], replaced } = change;
  const people = [...to, ...(cc ?? [])];
  const unknown = removed.find((one) => withoutPeople(people, [one]).length === people.length);
  const isMissing = replaced !== undefined && !has(text, replaced.from);
  const isNobody =
    removed.length > 0 && withoutPeople(to, removed).length === 0 && !change.to && !change.also;
  const ask =
    unknown !== undefined
      ? `${unknown} is no recipient.`
      : isMissing
        ? `The text doesn't say ${quoted(replaced.from)}.`
        : isNobody
          ? "Then no recipient is left."
          : undefined;
  return { values, ask, left: ask === undefined ? left : [words] };
}

function editAsChange(edit: Reply["edit"]): EmailChange {
  const people = (name: string) => listOf(fieldOf(edit, name)).map(String);
  return {
    ...("to" in edit ? { to: people("to") } : {}),
    ...("cc" in edit ? { cc: people("cc") } : {}),
    ...("subject" in edit ? { subject: textOf(edit, "subject") } : {}),
    ...("bodyText" in edit ? { text: textOf(edit, "bodyText") } : {}),
  };
}

const hasDraft = ({ changes = [] }: EmailValues) => changes.some(({ hadDraft }) => hadDraft);
/** Without another draft. Only a draft can be part of a conversation. */
const isDirect = (values: EmailValues & Given) =>
  values.delivery === "send" &&
  (values.isDrafted !== true || hasDraft(values)) &&
  !values.form?.threadId &&
  values.tools.includes("gmail_send");

const sending = {
  isEffect: true,
  as: "sent",
  read: readSent,
  onReply: { read: readEmailReply, from: "people" },
} as const;

/**
 * Sends an email, or saves a draft, if the request asks for that. The owner sees it at the approval,
 * and may change anything of it there.
 */
export function sendEmail<V extends EmailValues>(
  make: (values: V & Given) => Email,
): readonly Step<V>[] {
  const isWanted = ({ delivery: wanted }: EmailValues) => wanted;
  const steps: readonly Step<EmailValues>[] = [
    ...lookUp<EmailValues>((values) => {
      const { to, cc = [] } = formOf(values);
      return values.delivery === undefined ? [] : [...to, ...cc];
    }, "people"),
    { if: isWanted, set: (values) => ({ form: formOf(values) }) },
    {
      if: ({ delivery: wanted, changes = [] }) => wanted === undefined && changes.length > 0,
      say: "There is no email yet that I could change.",
      stop: true,
      outcome: "could_not",
    },
    {
      if: ({ delivery: wanted, to, toName: name, changes = [] }) =>
        wanted !== undefined && !to?.length && !name && !changes.some(({ to: own }) => own?.length),
      say: "Who should I send it to?",
      asks: ["changes"],
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ changes = [], email }) =>
        changes.some((change) => change.isShorter) && shorten(email?.body ?? "") === email?.body,
      say: "It has one sentence only, so I couldn't make it shorter.",
      outcome: "partly_done",
    },
    {
      if: (values) => values.delivery && !isDirect(values),
      call: "gmail_draft_create|gmail_createDraft",
      with: ({ form }) => ({ ...form }),
      doing: "save the draft",
      as: "draftId",
      read: (draft) => textOf(draft, "draftId"),
      onReply: { read: readEmailReply, from: "people" },
    },
    {
      if: ({ delivery: wanted }) => wanted === "draft",
      comesFirst: true,
      say: (values) => [
        `Saved a draft to ${values.form?.to.join(", ")}: "${values.form?.subject}".`,
        hasDraft(values)
          ? "The draft from before is still in Drafts, because I can't change it."
          : "",
      ],
    },
    {
      if: isDirect,
      call: "gmail_send",
      with: ({ form }) => ({ ...form }),
      doing: "send the email",
      ...sending,
    },
    {
      if: (values) => values.delivery === "send" && !isDirect(values),
      call: "gmail_draft_send|gmail_sendDraft",
      with: ({ draftId }) => ({ draftId }),
      doing: "send the draft",
      ...sending,
    },
    {
      if: ({ delivery: wanted }) => wanted === "send",
      comesFirst: true,
      say: (values) => [
        `Sent ${describeSent(values.sent, values.form ?? { to: [], subject: "" })}`,
        hasDraft(values) ? "The draft from before is still in Drafts." : "",
      ],
    },
  ];
  // The email is made before the draft, so that a changed recipient changes nothing else.
  const start: Step<V> = {
    if: ({ delivery: wanted }) => wanted,
    set: (values) => ({ email: make(values) }) as Partial<V>,
  };
  return [start, ...(steps as unknown as readonly Step<V>[])];
}

function formOf({
  to: own = [],
  toName: name,
  cc = [],
  subject: title,
  email,
  changes = [],
  known,
}: EmailValues): EmailForm {
  const resolve = (list: readonly string[]) => [
    ...new Set(list.map((one) => addressFor(one, known))),
  ];
  const to = resolve(name === undefined ? own : [name, ...own]);
  const body = email?.isSummary
    ? `${greet(to)}\n\n${email.body}\n\nBest regards\n`
    : (email?.body ?? "");
  const first: EmailForm = {
    to,
    cc: resolve(cc),
    subject: title ?? email?.subject ?? "",
    bodyText: body,
  };
  const form = changes.reduce((before, change): EmailForm => {
    const kept = withoutPeople(before.to, change.removed);
    const isInPlace = change.removed !== undefined && change.to !== undefined;
    const people = resolve([
      ...(isInPlace ? kept : []),
      ...(change.to ?? kept),
      ...(change.also ?? []),
    ]);
    const greeted = before.bodyText.startsWith(`${greet(before.to)}\n`)
      ? before.bodyText.replace(greet(before.to), () => greet(people))
      : before.bodyText;
    return {
      to: people,
      cc: resolve([...withoutPeople(before.cc ?? [], change.removed), ...(change.cc ?? [])]),
      subject: change.subject ?? before.subject,
      bodyText: revise(greeted, change, firstName(people)),
    };
  }, first);
  return {
    ...form,
    cc: form.cc?.length ? form.cc : undefined,
    subject: oneLine(form.subject),
    threadId: email?.threadId,
    attachments: email?.attachments,
  };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, 200);
}

const sharedMailbox =
  /^(?:info|office|hello|hi|mail|contact|team|sales|support|billing|accounts?|accounting|service|orders?|admin|finance|invoices?|bookkeeping|all|everyone)$/i;

/** The first name in the only recipient's address, or "". */
function firstName(to: readonly string[]): string {
  const [, name = ""] =
    to.length === 1 ? (/^([a-z]{3,})(?:[._-][a-z]+)?@/i.exec(addressOf(to[0] ?? "")) ?? []) : [];
  return sharedMailbox.test(name) ? "" : `${name.charAt(0).toUpperCase()}${name.slice(1)}`;
}

function greet(to: readonly string[]): string {
  const name = firstName(to);
  return name === "" ? "Hi," : `Hi ${name},`;
}
