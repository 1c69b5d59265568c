import { quotation } from "../recipe/quotes.ts";
import { defineRecipe } from "../recipe/recipe.ts";
import { dictation } from "../recipe/dictation.ts";
import type { SlotReader } from "../recipe/slot.ts";
import { contentWords } from "../words/content-words.ts";
import { addresses, nameOf, sender } from "./people.ts";
import { documentKind } from "./documents.ts";
import {
  age,
  searchEmail,
  type DocumentKind,
  type MailMatch,
  type SearchValues,
} from "./search-email.ts";
import {
  addressFor,
  copies,
  moreNames,
  lookUp,
  takePeople,
  toName,
  withoutPeople,
  type AddressValues,
} from "./find-address.ts";
import { lastEmail, type LastEmail } from "./last-email.ts";
import { asMessage, revise, type EmailChange } from "./revise-email.ts";
import { readEmailReply } from "./send-email.ts";
import { readSent, type SentEmail } from "./sent-email.ts";

interface ForwardValues extends SearchValues, AddressValues {
  /** The words that name the email: "the invoice from Rachel". */
  mail?: string;
  /** What the email is about, without its sender and kind. */
  topic?: readonly string[];
  to?: readonly string[];
  also?: readonly string[];
  changes?: readonly EmailChange[];
  form?: { readonly to: readonly string[]; readonly cc: readonly string[]; readonly note: string };
  cc?: readonly string[];
  note?: string;
  kind?: DocumentKind;
  age?: string;
  sender?: string;
  match?: MailMatch;
  last?: LastEmail;
  sent?: SentEmail;
}

const note = dictation(
  [
    new RegExp(
      `,?\\s*(?:with (?:the|a) note|with the (?:text|message)|and say|saying):?\\s+(?<value>${quotation}|.+?)\\s*$`,
      "s",
    ),
    /,?\s*\band (?<value>(?:tell|ask|remind) (?:him|her|them)\b.+?)\s*$/s,
  ],
  asMessage,
);

/** The mention stays in the text, because its sender and kind are read from it. */
const mail: SlotReader<string> = (text) =>
  /\bforward\s+(?<value>.+?)\s+(?:on\s+)?to\s/i.exec(text.rest())?.groups?.["value"];

const recipient: SlotReader<string> = (text, context) =>
  toName(text, context) ?? takePeople(text, "\\bto\\s+", "\\s*[.!?]*$")[0];

/** What the mention says besides the sender and the kind, which are read before. */
const topic: SlotReader<readonly string[]> = (text) =>
  contentWords(text.take(/\bforward\s+(?<value>.+?)\s{2,}/s) ?? "");

export const forwardRecipe = defineRecipe<ForwardValues>({
  topic: "email",
  task: "forward an email",
  examples: [
    "Forward the invoice from Rachel to Jonas",
    "Forward the latest mail from Eva to a@b.example",
    'Forward the invoice from Rachel to Jonas with the note "Please pay this."',
    "forward the battery shipment mail to tomasz and tell him to order from the second supplier",
  ],
  phrases: ["^forward"],
  continues: ["tell|ask|remind him|her|them"],
  unless: [
    "all|both|every|each mails|emails|messages|invoices|orders",
    "key|fields|details|summar*|extract|figures",
  ],
  slots: {
    note,
    mail,
    cc: copies,
    to: addresses,
    toName: recipient,
    also: moreNames,
    kind: documentKind,
    sender,
    age,
    topic,
    last: lastEmail,
  },
  needs: ["to|toName", "sender|kind|topic|last"],
  steps: [
    {
      set: ({ sender: from, kind, topic: words = [], last }) =>
        from !== undefined || kind !== undefined || words.length > 0 || last === undefined
          ? {}
          : { sender: last.from, topic: [last.subject] },
    },
    ...searchEmail<ForwardValues>(({ sender: from, kind, age: period, topic: words = [] }) => ({
      sender: from,
      document: kind,
      age: period,
      words,
      isFromOthers: true,
    })),
    { set: ({ found }) => (found?.matches[0] === undefined ? {} : { match: found.matches[0] }) },
    ...lookUp<ForwardValues>((values) => {
      const { to, cc } = formOf(values);
      return [...to, ...cc];
    }, "people"),
    { set: (values) => ({ form: formOf(values) }) },
    {
      call: "gmail_forward",
      with: ({ match, form }) => ({
        messageId: match?.messageId,
        to: form?.to,
        cc: form?.cc.length ? form.cc : undefined,
        note: form?.note || undefined,
      }),
      doing: "forward the email",
      isEffect: true,
      as: "sent",
      read: readSent,
      onReply: {
        // The copied text cannot be changed by a call.
        read: (reply, values) =>
          "bodyText" in reply.edit || "subject" in reply.edit
            ? undefined
            : readEmailReply(
                reply,
                { changes: values.changes ?? [] },
                { to: values.form?.to ?? [], cc: values.form?.cc, text: values.form?.note ?? "" },
              ),
        from: "people",
      },
    },
    {
      comesFirst: true,
      say: ({ match, form, sent }) => {
        const from = nameOf(match?.from ?? "");
        const people = sent?.to.length ? sent.to : (form?.to ?? []);
        return `Forwarded "${match?.subject}" from ${from} to ${people.map(nameOf).join(", ")}.`;
      },
    },
  ],
});

function formOf({
  to = [],
  toName: name,
  also = [],
  cc = [],
  note: text = "",
  changes = [],
  known,
}: ForwardValues) {
  const resolve = (list: readonly string[]) => [
    ...new Set(list.map((one) => addressFor(one, known))),
  ];
  const first = {
    to: resolve([...to, ...(name === undefined ? [] : [name]), ...also]),
    cc: resolve(cc),
    note: text,
  };
  return changes.reduce(
    (form, change) => ({
      to: resolve([
        ...(change.removed && change.to ? withoutPeople(form.to, change.removed) : []),
        ...(change.to ?? withoutPeople(form.to, change.removed)),
        ...(change.also ?? []),
      ]),
      cc: resolve([...withoutPeople(form.cc, change.removed), ...(change.cc ?? [])]),
      note: revise(form.note, change, ""),
    }),
    first,
  );
}
