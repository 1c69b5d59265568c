import { quotation } from "../recipe/quotes.ts";
import { defineRecipe } from "../recipe/recipe.ts";
import { after, type SlotReader } from "../recipe/slot.ts";
import { contentWords } from "../words/content-words.ts";
import { textOf } from "../words/json.ts";
import { addresses, copies, nameOf, sender } from "../words/people.ts";
import { documentKind } from "./documents.ts";
import {
  age,
  readSearch,
  searchEmail,
  type DocumentKind,
  type MailMatch,
  type SearchValues,
} from "./search-email.ts";
import { atTime } from "./hours.ts";
import { readSent, type SentEmail } from "./sent-email.ts";

interface ForwardValues extends SearchValues {
  /** The words that name the email: "the invoice from Rachel". */
  mail?: string;
  /** A recipient by name: "Jonas". */
  toName?: string;
  to?: readonly string[];
  cc?: readonly string[];
  note?: string;
  kind?: DocumentKind;
  age?: string;
  sender?: string;
  written?: SearchValues["found"];
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

const toName: SlotReader<string> = (text) => {
  const name = text.take(/\bto\s+(?<value>\p{L}[\p{L}’'-]+(?: \p{Lu}[\p{L}’'-]+)?)/u);
  return name !== undefined && /^\p{Lu}/u.test(name) ? name : undefined;
};

/** The owner's own address book is the mail that they sent. */
function addressIn(result: unknown, name = ""): readonly string[] {
  const [first = ""] = name.toLowerCase().split(" ");
  const listed = `${textOf(result, "to")}, ${textOf(result, "cc")}`.split(/,\s*/);
  const found = listed.find((entry) => entry.includes("@") && entry.toLowerCase().includes(first));
  return found === undefined ? [] : [found.trim()];
}

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
    {
      if: ({ to }) => to?.length === 0,
      call: "gmail_search",
      with: ({ toName: name }) => ({ query: `in:sent to:${name?.split(" ")[0]}`, maxResults: 1 }),
      doing: "look up the address",
      as: "written",
      read: readSearch,
    },
    {
      if: ({ to, written }) => to?.length === 0 && written?.matches.length === 0,
      say: ({ toName: name }) => `I don't know the email address of ${name}.`,
      stop: true,
      outcome: "could_not",
    },
    {
      if: ({ to }) => to?.length === 0,
      call: "gmail_message_read|gmail_getMessage",
      with: ({ written }) => ({ messageId: written?.matches[0]?.messageId }),
      doing: "look up the address",
      as: "to",
      read: (result, { toName: name }) => addressIn(result, name),
    },
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
