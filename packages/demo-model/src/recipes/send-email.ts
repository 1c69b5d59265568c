import type { Given, Step } from "../recipe/recipe.ts";
import { after, isPresent, type SlotReader } from "../recipe/slot.ts";
import { quotation } from "../recipe/quotes.ts";
import { describeSent, readSent, type SentEmail } from "./sent-email.ts";
import { findAddress, toName, type AddressValues } from "./find-address.ts";
import { emailChanges, revise, type EmailChange } from "./revise-email.ts";
import { textOf } from "../words/json.ts";
import { addresses, addressOf, copies } from "../words/people.ts";

/** The values of a request that may end with an email. */
export interface EmailValues extends AddressValues, EmailChange {
  delivery?: "send" | "draft";
  cc?: readonly string[];
  subject?: string;
  email?: Email;
  /** The changes that the owner asked for, in order. */
  changed?: readonly EmailChange[];
  draftId?: string;
  sent?: SentEmail;
}

const onReply = {
  slots: ["to", "toName", "cc", "also", "subject", "tone", "isShorter", "mention"],
  from: "change",
} as const;

interface Email {
  readonly subject: string;
  readonly body: string;
  /** Adds a greeting and an ending. */
  readonly isSummary?: true;
  readonly threadId?: string | undefined;
  readonly attachments?: readonly unknown[] | undefined;
}

const address = "[a-z0-9._%+-]+@";
const held =
  /,?\s*(?:\b(?:but|and) )?\b(?:do not|don't|never|without)\s+send\w*(?: it)?(?: yet)?|\bonly (?:as )?a draft\b|\bready to send\b/;
const sends = new RegExp(
  `^\\s*(?:please |(?:can|could|would) you )*(?:e-?mail|mail)\\s+(?=[a-z]|$)(?!(?:from|about|in|of|with|for|me|my|saying)\\b)|\\b(?:send|sends|forward|share)\\b(?: (?:it|them|that)\\b)?|(?<!\\b(?:an?|the|my|this|that|in|by|per|unread)\\s)\\b(?:e-?mail|mail)\\s+(?=(?:it|them|that|this|the|an?|its|my|me|${address}))(?:it|them|that)?`,
);
const drafts =
  /\b(?:draft|prepare|compose|write)\b(?: an?)?(?: e-?mails?| mails?)|\bin an? e?-?mail to\b|\bdraft\b/;

/** "send", "draft", or nothing if the request does not ask for an email. */
const delivery: SlotReader<"send" | "draft"> = (text) => {
  const isHeld = text.take(held) !== undefined;
  const isSent = text.take(sends) !== undefined;
  const isDrafted = text.take(drafts) !== undefined;
  if (isHeld) return "draft";
  return isSent ? "send" : isDrafted ? "draft" : undefined;
};

export const subject = after(
  new RegExp(
    `,?\\s*(?:with |and )?(?:the |a )?\\bsubject(?: line)?(?: to| should be| is)?:?\\s+(?<value>${quotation}|[^,]+?)(?=\\s*(?:,|\\s(?:and|saying|with)\\b|$|\\s{2}))`,
  ),
);

/** The slots of a request that may end with an email. */
export const emailSlots = {
  ...emailChanges,
  toName,
  delivery,
  cc: copies,
  to: addresses,
  subject,
};

/** What a later message may change in the email of a request. */
export const emailLater = [
  "to",
  "toName",
  "cc",
  "also",
  "subject",
  "delivery",
  "tone",
  "isShorter",
  "mention",
] as const;

/** Whether the request says "forward". Must be read before the delivery, which takes the word. */
export const forwards: SlotReader<boolean> = (text) => text.has(/\bforward\b(?=.*@)/);

/**
 * Saves a draft and sends it if the request asks for that. The owner sees the draft at the
 * approval, and may change its recipients and subject there.
 */
export function sendEmail<V extends EmailValues>(
  make: (values: V & Given) => Email,
): readonly Step<V>[] {
  const steps: readonly Step<EmailValues>[] = [
    {
      id: "change",
      set: ({ to, also = [], changed = [], tone, isShorter, mention }) => ({
        ...(also.length === 0 ? {} : { to: [...new Set([...(to ?? []), ...also])] }),
        changed: [tone, isShorter, mention].some(isPresent)
          ? [...changed, { tone, isShorter, mention }]
          : changed,
        also: undefined,
        tone: undefined,
        isShorter: undefined,
        mention: undefined,
      }),
    },
    ...findAddress.map((step) => ({
      ...step,
      if: (values: EmailValues & Given) =>
        values.delivery !== undefined && (step.if === undefined || step.if(values)),
    })),
    {
      if: ({ delivery: wanted, to }) => wanted !== undefined && !to?.length,
      say: "Who should I send it to?",
      stop: true,
      outcome: "needs_answer",
    },
    {
      if: ({ delivery: wanted }) => wanted,
      call: "gmail_draft_create|gmail_createDraft",
      with: ({ to = [], cc = [], subject: own, email, changed = [] }) => ({
        to,
        cc: cc.length === 0 ? undefined : cc,
        subject: oneLine(own ?? email?.subject ?? ""),
        bodyText: changed.reduce(
          (text, change) => revise(text, change, firstName(to)),
          email?.isSummary
            ? `${greet(to)}\n\n${email.body}\n\nBest regards\n`
            : (email?.body ?? ""),
        ),
        threadId: email?.threadId,
        attachments: email?.attachments,
      }),
      doing: "save the draft",
      as: "draftId",
      read: (draft) => textOf(draft, "draftId"),
      onReply,
    },
    {
      if: ({ delivery: wanted }) => wanted === "draft",
      comesFirst: true,
      say: ({ to = [], subject: own, email, draftId }) =>
        `Saved a draft to ${to.join(", ")}: "${oneLine(own ?? email?.subject ?? "")}" (draft ${draftId}).`,
    },
    {
      if: ({ delivery: wanted }) => wanted === "send",
      call: "gmail_draft_send|gmail_sendDraft",
      with: ({ draftId }) => ({ draftId }),
      doing: "send the draft",
      isEffect: true,
      as: "sent",
      read: readSent,
      onReply,
    },
    {
      if: ({ delivery: wanted }) => wanted === "send",
      comesFirst: true,
      say: ({ to = [], subject: own, email, sent }) =>
        `Sent ${describeSent(sent, { to, subject: oneLine(own ?? email?.subject ?? "") })}.`,
    },
  ];
  // The email is made before the draft, so that a changed recipient changes nothing else.
  const start: Step<V> = {
    if: ({ delivery: wanted }) => wanted,
    set: (values) => ({ email: make(values) }) as Partial<V>,
  };
  return [start, ...(steps as readonly Step<V>[])];
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
