import { quotation } from "../recipe/quotes.ts";
import { defineRecipe } from "../recipe/recipe.ts";
import { after, type SlotReader } from "../recipe/slot.ts";
import { contentWords } from "../words/content-words.ts";
import { addresses, copies, nameOf, sender } from "../words/people.ts";
import { documentKind } from "./documents.ts";
import {
  age,
  searchEmail,
  type DocumentKind,
  type MailMatch,
  type SearchValues,
} from "./search-email.ts";
import { findAddress, toName, type AddressValues } from "./find-address.ts";
import { atTime } from "./hours.ts";
import { readSent, type SentEmail } from "./sent-email.ts";

interface ForwardValues extends SearchValues, AddressValues {
  /** The words that name the email: "the invoice from Rachel". */
  mail?: string;
  cc?: readonly string[];
  note?: string;
  kind?: DocumentKind;
  age?: string;
  sender?: string;
  match?: MailMatch;
  sent?: SentEmail;
}

const note = after(
  new RegExp(
    `,?\\s*(?:with (?:the|a) note|with the (?:text|message)|and (?:say|tell (?:him|her|them))|saying):?\\s+(?<value>${quotation}|.+?)\\s*$`,
    "s",
  ),
);

/** The mention stays in the text, because its sender and kind are read from it. */
const mail: SlotReader<string> = (text) =>
  /\bforward\s+(?<value>.+?)\s+(?:on\s+)?to\s/i.exec(text.rest())?.groups?.["value"];

export const forwardRecipe = defineRecipe<ForwardValues>({
  topic: "email",
  task: "forward an email",
  examples: [
    "Forward the invoice from Rachel to Jonas",
    "Forward the latest mail from Eva to a@b.example",
    'Forward the invoice from Rachel to Jonas with the note "Please pay this."',
  ],
  phrases: ["^forward"],
  unless: ["key|fields|details|summar*|extract|figures", "tomorrow|tonight|later"],
  slots: { note, mail, cc: copies, to: addresses, toName, kind: documentKind, sender, age },
  needs: ["to|toName", "sender|kind"],
  steps: [
    ...searchEmail<ForwardValues>(({ sender: from, kind, age: period, mail: words = "" }) => ({
      sender: from,
      document: kind,
      age: period,
      words: kind === undefined && from === undefined ? contentWords(words) : [],
      isFromOthers: true,
    })),
    { set: ({ found }) => (found?.matches[0] === undefined ? {} : { match: found.matches[0] }) },
    ...findAddress,
    {
      call: "gmail_forward",
      with: ({ match, to = [], cc = [], note: text }) => ({
        messageId: match?.messageId,
        to,
        cc: cc.length === 0 ? undefined : cc,
        note: text,
      }),
      doing: "forward the email",
      isEffect: true,
      as: "sent",
      read: readSent,
    },
    {
      say: ({ match, to = [], sent }) => {
        const from = nameOf(match?.from ?? "");
        const people = sent?.to.length ? sent.to : to;
        return `Forwarded "${match?.subject}" from ${from} to ${people.map(nameOf).join(", ")}${atTime(sent?.at)}.`;
      },
    },
  ],
});
