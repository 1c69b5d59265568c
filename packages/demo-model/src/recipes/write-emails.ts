import { quotation } from "../recipe/quotes.ts";
import { defineRecipe, type Recipe } from "../recipe/recipe.ts";
import { dictation } from "../recipe/dictation.ts";
import { after, flag, type SlotReader } from "../recipe/slot.ts";
import { createText } from "../recipe/text.ts";
import { addressOf, nameOf, sender } from "./people.ts";
import { topicAfter } from "./emails.ts";
import { asMessage, editedTextHeading, revise, subject } from "./revise-email.ts";
import { omitUndefined } from "@bron/protocol";
import { copies } from "./find-address.ts";
import { isFrom, lastEmail, type LastEmail } from "./last-email.ts";
import {
  age,
  openThread,
  sayMatch,
  searchEmail,
  type MailMatch,
  type MessageValues,
} from "./search-email.ts";
import {
  emailLater,
  emailSlots,
  readEmailReply,
  sendEmail,
  type EmailValues,
} from "./send-email.ts";
import { readSent } from "./sent-email.ts";

const says =
  "(?:,?\\s*(?:and |with )(?:the )?(?:text|body|message):?|\\b(?:text|body|message):|,?\\s*\\b(?:saying|that says|and says?|telling (?:them|him|her)|to say|say)(?: that)?:?)";
const dictated = [
  new RegExp(`${says}\\s+(?<value>${quotation}|.+?)(?:\\s+and send it)?\\s*$`, "s"),
  new RegExp(`:\\s*(?<value>${quotation})`),
  /(?<=@\S+)\s+that\s+(?<value>.+)$/s,
  /(?<=\b(?:e-?mail|mail|write(?: to)?|mail to|tell)\s+[\p{L}'’-]+)\s+that\s+(?<value>.+)$/su,
  /(?<=^\s*(?:reply|respond|answer|write)(?: to)? [\p{L}'’-]+(?: [\p{L}'’-]+)?)\s+that\s+(?<value>.+)$/su,
  /(?<=\b(?:e-?mail|mail|message|reply)\b.*)\bthat\s+(?<value>.+)$/s,
  /:\s+(?<value>\S.+)$/s,
  /,?\s*\b(?:and|to)\s+(?<value>(?:tell|ask|remind)\s+(?:him|her|them)\b.+)$/s,
  new RegExp(`(?<value>${quotation})`),
];

/** What a message says. "Tell him we can wait" becomes "We can wait." */
export const body = dictation(dictated, asMessage);

const askForBody = "What should the email say?";

interface ReplyValues extends MessageValues, EmailValues {
  body?: string;
  age?: string;
  sender?: string;
  topic?: readonly string[];
  everyone?: boolean;
  last?: LastEmail;
  /** The subject of the email before. */
  subjectBefore?: string;
  /** The matches that the sender wrote. */
  own?: readonly MailMatch[];
}

/** "Felix", or "the one from Felix". */
const laterSender: SlotReader<string> = (text, context) =>
  sender(text, context) ?? text.take(/^\s*(?<value>\p{L}+(?: \p{L}+)?)\W*$/u);

/** A reply has no copies and no other subject, so those need a draft in the conversation. */
const isPlainReply = ({ delivery, cc = [], changes = [] }: EmailValues) =>
  delivery !== "draft" &&
  cc.length === 0 &&
  changes.every(
    ({ to, also, cc, removed, subject: title }) => ![to, also, cc, removed, title].some(Boolean),
  );

const replyText = ({ body: text = "", match, changes = [] }: ReplyValues) =>
  changes.reduce(
    (before, change) => revise(before, change, nameOf(match?.from ?? "").split(" ")[0] ?? ""),
    text,
  );

export const replyRecipe = defineRecipe<ReplyValues>({
  topic: "email",
  task: "reply to an email",
  examples: [
    "Reply to the last mail from Eva and say I will be there at eight.",
    'Answer Eva\'s last mail: "I will be there at eight."',
    "Reply to Paul's last mail saying yes",
    "Reply to Eva: sounds good",
    "reply to eva lang about the office move: tell her we can wait, thanks",
  ],
  phrases: ["^reply|respond|answer", "^draft|write|send reply"],
  unless: ["all|both|every|each mails|emails|messages"],
  slots: {
    body,
    everyone: flag(
      /(?<=^\s*(?:please )?(?:reply|respond|answer))(?:\s+to|-)?\s*\b(?:all|everyone|everybody)\b(?:,? of them\b)?/,
    ),
    cc: copies,
    delivery: emailSlots.delivery,
    age,
    last: lastEmail,
    sender,
    topic: topicAfter(/\babout (?:the |my |our )?(?<value>[^.?!,;:]+)/),
  },
  needs: ["body|sender|topic|everyone|last"],
  later: { sender: laterSender },
  continues: ["say|saying", "tell|ask him|her|them"],
  steps: [
    {
      if: ({ body: text }) => !text,
      say: askForBody,
      asks: ["body"],
      isFreeText: true,
      stop: true,
      outcome: "needs_answer",
    },
    {
      set: ({ sender: from, topic = [], last }) =>
        from !== undefined || topic.length > 0 || last === undefined
          ? {}
          : { sender: last.from, subjectBefore: last.subject },
    },
    {
      if: ({ sender: from, topic = [] }) => from === undefined && topic.length === 0,
      say: "Which email do you mean? Name its sender.",
      stop: true,
      outcome: "needs_answer",
    },
    ...searchEmail<ReplyValues>(({ sender: from, age: period, topic }) => ({
      sender: from,
      age: period,
      words: topic,
    })),
    {
      set: ({ found, sender: from = "", subjectBefore }) => {
        const own = (found?.matches ?? []).filter((one) => isFrom(one.from, from));
        const match = own.find(({ subject: title }) => title === subjectBefore) ?? own[0];
        return { own, ...omitUndefined({ match }) };
      },
    },
    {
      if: ({ match }) => match === undefined,
      say: ({ sender: from }) => `I couldn't find an email from ${from}.`,
      stop: true,
      outcome: "could_not",
    },
    {
      if: ({ own = [], sender: from }) => from === undefined && own.length > 1,
      say: ({ own = [] }) => [
        "Which email do you mean? Name its sender.",
        ...own.map((one) => `- ${sayMatch(one)}`),
      ],
      stop: true,
      outcome: "needs_answer",
    },
    ...openThread,
    { set: ({ match }) => ({ to: [addressOf(match?.from ?? "")] }) },
    {
      id: "reply",
      if: isPlainReply,
      call: "gmail_reply",
      with: (values) => ({
        threadId: values.match?.threadId,
        everyone: values.everyone === true ? true : undefined,
        bodyText: replyText(values),
      }),
      doing: "send the reply",
      isEffect: true,
      as: "sent",
      read: readSent,
      onReply: {
        read: (reply, values) =>
          readEmailReply(
            reply,
            { changes: values.changes ?? [] },
            { to: [addressOf(values.match?.from ?? "")], text: replyText(values) },
          ),
        from: "reply",
      },
    },
    {
      if: isPlainReply,
      comesFirst: true,
      say: ({ match, sent, everyone }) => [
        `Replied to ${nameOf(match?.from ?? "")}${everyone === true ? " and everyone else in the conversation" : ""}.`,
        sent?.text ? `${editedTextHeading}\n> ${sent.text.trimEnd().replaceAll("\n", "\n> ")}` : "",
      ],
      stop: true,
    },
    { set: ({ delivery }) => ({ delivery: delivery ?? "send" }) },
    ...sendEmail<ReplyValues>(({ match, body: text }) => ({
      subject: `Re: ${match?.subject.replace(/^(?:re:\s*)+/i, "")}`,
      body: text ?? "",
      threadId: match?.threadId,
    })),
  ],
});

interface ComposeValues extends EmailValues {
  body?: string;
  /** "Write an email to Jonas", and nothing more. */
  isBare?: boolean;
  /** "the meeting on Friday": what it is about says not yet what it says. */
  topic?: string;
}

const { subject: _, delivery, isDrafted, ...otherSlots } = emailSlots;

const composeIsDrafted: SlotReader<boolean> = (text, context) => {
  const head = createText(text.rest());
  body(head, context);
  return isDrafted(head, context);
};

/** What is dictated says nothing about the delivery, except at its end. */
const composeDelivery: SlotReader<"send" | "draft"> = (text, context) => {
  if (
    text.take(
      /(?:[,.;!?]\s*|\s+but\s+|\s+and\s+)(?:please )?(?:don't|do not) send(?: it)?(?: yet)?\W*$/,
    ) !== undefined
  )
    return "draft";
  if (text.take(/,?\s+(?:and|then)(?: then)? send it\W*$/) !== undefined) return "send";
  const head = createText(text.rest());
  subject(head, context);
  body(head, context);
  return delivery(head, context) ?? "send";
};

export const composeRecipe = defineRecipe<ComposeValues>({
  topic: "email",
  task: "write an email",
  examples: [
    "Send an email to a@b.example with subject Lunch saying Are you free on Friday?",
    "email a@b.example, subject: Lunch, saying Are you free on Friday?",
    "Send an email to a@b.example saying see https://x.example/ for more",
    "Email a@b.example that I'm running late",
    "Email Priya that I'm running late",
    "Draft an email to priya@x.example about the meeting",
    'email a@b.example "The vests are here."',
    "write priya a mail that we come later and ask her to bring the vests",
  ],
  phrases: ["^send|write|draft|compose|email|mail|prepare"],
  unless: ["note", "reply", "slack|channel"],
  slots: {
    isBare: (text) =>
      text.has(
        /^\s*(?:please )?(?:send|write|draft|compose|prepare)(?: an?| the)?(?: new)? (?:e-?mail|mail|message) to \S+(?: \S+)?\s*$/,
      ),
    isDrafted: composeIsDrafted,
    delivery: composeDelivery,
    // What is dictated is read before anything else.
    subject,
    body,
    topic: after(
      /(?<=^(?!.*(?:#|\b(?:summary|invoices?|orders?|fields|attach\w+)\b)).*)\babout (?<value>.+?)\W*$/s,
    ),
    ...otherSlots,
  },
  needs: ["to|toName", "body|subject|topic"],
  later: emailLater,
  continues: ["send it", "don't|do_not send", "text|saying|subject", "tell|ask him|her|them"],
  steps: [
    {
      if: ({ body: text, subject: own }) => !text && !own,
      say: askForBody,
      asks: ["body"],
      isFreeText: true,
      stop: true,
      outcome: "needs_answer",
    },
    ...sendEmail<ComposeValues>(({ subject: own, topic, body: text = own ?? "" }) => ({
      subject: capitalize(topic ?? firstWords(text)),
      body: text,
    })),
  ],
  result: ({ body: text }) => text,
});

/** A part of a message may belong to the request before it, so this is only an entire message. */
export const bareEmailRecipe = defineRecipe<ComposeValues>({
  ...(composeRecipe as unknown as Recipe<ComposeValues>),
  task: "",
  examples: ["Write an email to Jonas", "Please draft an email to a@b.example."],
  needs: ["to|toName", "isBare"],
  isEntireMessage: true,
});

function firstWords(text: string): string {
  return (text.split(/[.!?\n]/)[0] ?? "").split(/\s+/).slice(0, 8).join(" ");
}

function capitalize(text: string): string {
  return text
    .replace(/^(?:the|our|my) (?=\p{L})/iu, "")
    .replace(/^\p{Ll}/u, (letter) => letter.toUpperCase());
}
