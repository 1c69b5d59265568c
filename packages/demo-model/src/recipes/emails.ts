import { quotation } from "../recipe/quotes.ts";
import { defineRecipe } from "../recipe/recipe.ts";
import { after, flag, type SlotReader } from "../recipe/slot.ts";
import { readSlots } from "../recipe/understand.ts";
import { contentWords, mentions, sentencesOf } from "../words/content-words.ts";
import { sayDay } from "../words/days.ts";
import { counted } from "../words/json.ts";
import { addressOf, nameOf, sender } from "../words/people.ts";
import { documentKind } from "./documents.ts";
import {
  age,
  mailQueries,
  openThread,
  readSearch,
  sayAge,
  sayMatch,
  searchEmail,
  type DocumentKind,
  type MailMessage,
  type MessageValues,
  type SearchValues,
} from "./search-email.ts";
import { atTime } from "./hours.ts";
import { emailLater, emailSlots, sendEmail, subject, type EmailValues } from "./send-email.ts";
import { readSent } from "./sent-email.ts";

const isUnread = flag(/\bunread\b/);

/** Reads the words of a topic. A quotation stays one word. */
const topicAfter =
  (pattern: RegExp): SlotReader<readonly string[]> =>
  (text, context) =>
    contentWords(after(pattern)(text, context) ?? "");

interface CountValues extends SearchValues {
  isUnread?: boolean;
  /** The words mean the inbox as a whole. */
  isInbox?: boolean;
  /** Only what others wrote. */
  toMe?: boolean;
  kind?: DocumentKind;
  age?: string;
  sender?: string;
  topic?: readonly string[];
}

const searchSlots = { isUnread, sender, kind: documentKind, age };

export const countEmailsRecipe = defineRecipe<CountValues>({
  topic: "email",
  task: "count emails",
  examples: [
    "How many unread emails did I get this week?",
    "How many unread mails do I have?",
    "How many unread mails do I have from the last 7 days?",
    "How many mails from Paul are there since yesterday?",
  ],
  phrases: [
    "how_many mail|mails|email|emails|e-mails|messages|invoices|orders",
    "count mail|mails|emails|messages",
    "number_of mails|emails|messages",
  ],
  unless: ["channel|slack"],
  slots: { ...searchSlots, topic: topicAfter(/\babout (?<value>[^.?!,;]+)/) },
  later: ["age", "sender"],
  steps: [
    {
      call: "gmail_search",
      with: ({ topic, kind, ...search }) => ({
        query: mailQueries({ ...search, document: kind, words: topic })[0],
        maxResults: 20,
      }),
      doing: "search your email",
      as: "found",
      read: readSearch,
    },
    {
      say: ({ found, isUnread: unread, sender: from, age: period }) => {
        const count = found?.matches.length ?? 0;
        const noun = counted(count, unread === true ? "unread email" : "email");
        const rest = `${from === undefined ? "" : ` from ${from}`}${sayAge(period)}`;
        return `You have ${found?.hasMore ? "more than " : ""}${count === 0 ? noun.replace("0", "no") : noun}${rest}.`;
      },
    },
  ],
  result: ({ found }) => String(found?.matches.length ?? 0),
});

export const listEmailsRecipe = defineRecipe<CountValues>({
  topic: "email",
  task: "list or search emails",
  examples: [
    "Show me unread mails from Eva",
    "Search my mail for lunch",
    "find mails about lunch",
    "Are there any mails about the budget from this week?",
    "What emails did I get today?",
    "Which invoices came this month?",
    "Summarise my unread mails",
    "Check my email",
    "What's in my inbox?",
    "Do I have unread mail?",
    "Did anyone email me about frames?",
    "Who emailed me today?",
  ],
  phrases: [
    "show|list|find|search|any|which|what|what's|summar*|look|check|who|have|got|get|read|open|see|give|anyone|anybody|someone|new|latest mails|emails|mail|email|messages|inbox|emailed|mailed|mailbox",
    "who wrote|written me|us",
    "which|any|list|show invoices|orders|bills|quotes|receipts",
  ],
  unless: [
    "^send|write|draft|email|mail|reply|post|delete|archive|translate|mark|unsubscribe|clean|forward",
    "due|overdue|unpaid|paid|slack|channel|delete|archive|translate|unsubscribe|spam|label",
  ],
  slots: {
    isInbox: (text) =>
      text.has(
        /\b(?:inbox|mailbox|(?:my|new|any|the|latest|recent) (?:e-?mails?|mails?|messages))\b/,
      ),
    toMe: (text) =>
      text.has(
        /\b(?:e-?mailed|mailed|wrote|written|e-?mail|mail) (?:to )?me\b|\b(?:any|some)(?:one|body)\b/,
      ),
    ...searchSlots,
    isUnread: flag(/\bunread\b|\bnew (?=e-?mails?|mails?|messages)/),
    topic: topicAfter(/\b(?:about|for|mentioning|containing) (?:the |my )?(?<value>[^.?!,;]+)/),
  },
  needs: ["isUnread|kind|sender|topic|age|isInbox"],
  later: ["age", "sender", "topic"],
  steps: [
    ...searchEmail<CountValues>(
      ({ topic, kind, toMe, sender: from, isUnread: unread, age: period }) => ({
        isFromOthers: toMe === true,
        sender: from,
        isUnread: unread,
        age: period,
        document: kind,
        words: topic,
      }),
      ({ toMe }) => toMe === true,
    ),
    {
      say: ({ found: { matches = [] } = {} }) => [
        `Found ${counted(matches.length, "matching email")}:`,
        ...matches.map((match) => `- ${sayMatch(match)}`),
      ],
    },
  ],
});

interface ReadValues extends MessageValues, EmailValues {
  topic?: readonly string[];
  age?: string;
  sender?: string;
  isLatest?: boolean;
  sentences?: readonly string[];
}

function sayMessage({ message, sentences = [] }: ReadValues): readonly string[] {
  if (sentences.length === 0) return ["The email has no text."];
  const day = sayDay(message?.date.slice(0, 10));
  return [
    `${nameOf(message?.from ?? "")} wrote on ${day} ("${message?.subject}"):`,
    ...sentences.map((sentence) => `- ${sentence}`),
  ];
}

const greeting =
  /^(?:hi|hello|hey|dear|good (?:morning|afternoon|evening)|thanks|thank you|best|kind regards|regards|cheers)\b[^.!?]{0,40}[,.!]?$/i;
const quotedStart = /^(?:-- ?$|on .{5,80} wrote:|-{2,} ?(?:original|forwarded)|from: )/i;

/** Sentences without greeting, quotes and signature: those about the words, or the first ones. */
function keySentences({ text, from }: MailMessage, words: readonly string[]): readonly string[] {
  const lines = text.slice(0, 20_000).split(/\r?\n/);
  const end = lines.findIndex((line) => quotedStart.test(line.trim()));
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((line) => !line.startsWith(">"));
  const sentences = sentencesOf(own.join("\n").replace(/(?<![.!?,:\n])\n(?=\S)/g, " ")).filter(
    (sentence) => !greeting.test(sentence) && !from.includes(sentence.replace(/[.,]$/, "")),
  );
  const relevant = sentences.filter((sentence) => mentions(sentence, words));
  return (relevant.length > 0 ? relevant : sentences).slice(0, 4);
}

export const readEmailRecipe = defineRecipe<ReadValues>({
  topic: "email",
  task: "say what someone wrote",
  examples: [
    "What did Eva write about the office move?",
    "what does Eva say about the office move",
    "Summarise the last mail from Eva about the office move",
    "Find the newest mail from collector@evil.example and tell me what it says.",
    "Read my latest email",
  ],
  phrases: [
    "what did|does|has write|say|says|send|want|mail|reply",
    "summar*|read|open|show|find last|latest|newest|recent mail|email|message|e-mail",
    "what's|what|anything|any latest|newest|new|news from",
  ],
  unless: ["slack|channel", "note|notes", "attached", "^reply|post|schedule"],
  slots: {
    ...emailSlots,
    topic: topicAfter(/\babout (?:the |my )?(?<value>[^.?!,;]+)/),
    isLatest: flag(/\b(?:last|latest|newest|most recent) (?:e-?mail|mail|message)\b/),
    age,
    sender,
  },
  needs: ["sender|isLatest"],
  continues: ["tell|what it_says|says|it", "summar* it"],
  later: ["sender", ...emailLater],
  steps: [
    ...searchEmail<ReadValues>(({ topic, age: period, sender: from }) => ({
      sender: from,
      age: period,
      words: topic,
    })),
    { set: ({ found }) => (found?.matches[0] === undefined ? {} : { match: found.matches[0] }) },
    ...openThread,
    {
      set: ({ message, topic }) => ({
        sentences: message === undefined ? [] : keySentences(message, topic ?? []),
      }),
    },
    { say: sayMessage },
    ...sendEmail<ReadValues>((values) => ({
      subject: `Summary: ${values.message?.subject}`,
      body: sayMessage(values).join("\n"),
      isSummary: true,
    })),
  ],
  result: ({ sentences = [] }) => sentences.join(" "),
});

const body = after(
  new RegExp(
    `(?:,?\\s*(?:and |with )?(?:the )?(?:text|body|message):?|,?\\s*\\b(?:saying|that says|and says?|telling (?:them|him|her)|to say|say)(?: that)?:?)\\s+(?<value>${quotation}|.+?)(?:\\s+and send it)?\\s*$`,
    "s",
  ),
  new RegExp(`:\\s*(?<value>${quotation})`),
  /(?<=@\S+)\s+that\s+(?<value>.+)$/s,
  /(?<=\b(?:e-?mail|mail|write(?: to)?|mail to|tell)\s+[\p{L}'’-]+)\s+that\s+(?<value>.+)$/su,
  /:\s+(?<value>\S.+)$/s,
);

const askForBody = "What should the email say?";

interface ReplyValues extends MessageValues, EmailValues {
  body?: string;
  age?: string;
  sender?: string;
}

export const replyRecipe = defineRecipe<ReplyValues>({
  topic: "email",
  task: "reply to an email",
  examples: [
    "Reply to the last mail from Eva and say I will be there at eight.",
    'Answer Eva\'s last mail: "I will be there at eight."',
    "Reply to Paul's last mail saying yes",
    "Reply to Eva: sounds good",
  ],
  phrases: ["^reply|respond|answer", "^draft|write|send reply"],
  slots: { body, delivery: emailSlots.delivery, age, sender },
  needs: ["sender"],
  continues: ["say|saying"],
  steps: [
    {
      if: ({ body: text }) => !text,
      say: askForBody,
      stop: true,
      outcome: "needs_answer",
    },
    ...searchEmail<ReplyValues>(({ sender: from, age: period }) => ({ sender: from, age: period })),
    { set: ({ found }) => (found?.matches[0] === undefined ? {} : { match: found.matches[0] }) },
    ...openThread,
    {
      if: ({ delivery }) => delivery !== "draft",
      call: "gmail_reply",
      with: ({ match, body: text }) => ({ threadId: match?.threadId, bodyText: text }),
      doing: "send the reply",
      isEffect: true,
      as: "sent",
      read: readSent,
    },
    {
      if: ({ delivery }) => delivery !== "draft",
      say: ({ match, sent }) => `Replied to ${nameOf(match?.from ?? "")}${atTime(sent?.at)}.`,
      stop: true,
    },
    { set: ({ match }) => ({ to: [addressOf(match?.from ?? "")] }) },
    ...sendEmail<ReplyValues>(({ match, body: text }) => ({
      subject: `Re: ${match?.subject}`,
      body: text ?? "",
      threadId: match?.threadId,
    })),
  ],
});

interface ComposeValues extends EmailValues {
  isSent?: boolean;
  body?: string;
  /** "the meeting on Friday": what it is about says not yet what it says. */
  topic?: string;
}

const { subject: _, ...otherSlots } = emailSlots;

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
  ],
  phrases: ["^send|write|draft|compose|email|mail|prepare"],
  unless: ["note", "reply", "^send|mail|email tomorrow|tonight|later"],
  slots: {
    isSent: flag(/,?\s+(?:and|then)(?: then)? send it\W*$/),
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
  continues: ["send it", "text|saying|subject"],
  steps: [
    {
      if: ({ body: text, subject: own }) => !text && !own,
      say: askForBody,
      stop: true,
      outcome: "needs_answer",
    },
    {
      set: ({ isSent, delivery }) => ({
        delivery: isSent === true ? "send" : (delivery ?? "draft"),
      }),
    },
    ...sendEmail<ComposeValues>(({ subject: own, body: text = own ?? "" }) => ({
      subject: (text.split(/[.!?\n]/)[0] ?? "").split(/\s+/).slice(0, 8).join(" "),
      body: text,
    })),
  ],
});

/** "Write an email to Jonas", and nothing more. */
export const bareEmailRecipe = defineRecipe<EmailValues & { isBare?: boolean }>({
  topic: "email",
  task: "",
  examples: ["Write an email to Jonas", "Please draft an email to a@b.example."],
  phrases: ["^send|write|draft|compose|prepare mail|email|message to"],
  isEntireMessage: true,
  slots: {
    isBare: (text) =>
      text.has(
        /^\s*(?:please )?(?:send|write|draft|compose|prepare)(?: an?| the)?(?: new)? (?:e-?mail|mail|message) to \S+(?: \S+)?\s*$/,
      ),
    ...emailSlots,
  },
  needs: ["to|toName", "isBare"],
  steps: [{ say: askForBody, outcome: "needs_answer" }],
});

const kept = ["to", "toName", "cc", "subject", "delivery"] as const;

/** Reads a value of the request to which the model said "What should the email say?" */
function fromQuestion<Name extends (typeof kept)[number]>(
  name: Name,
): SlotReader<NonNullable<EmailValues[Name]>> {
  return (_, context) => {
    const { earlierMessages } = context.conversation;
    const asked = earlierMessages.at(-1);
    const before = earlierMessages.findLast(({ by }) => by === "user")?.text ?? "";
    if (asked?.by !== "model" || asked.text.trim() !== askForBody) return undefined;
    return readSlots(composeRecipe, [name], before, context)[name] as never;
  };
}

/** What the user says when the model asked what an email should say is its text. */
export const emailTextRecipe = defineRecipe<EmailValues>({
  topic: "email",
  task: "",
  examples: [],
  phrases: ["*"],
  unless: [
    "^what|when|show|check|how|summarize|summarise|find|list|cancel|stop|never|nevermind|forget|help|who|which|read|move|any|am|don't|no",
  ],
  isEntireMessage: true,
  slots: Object.fromEntries(kept.map((name) => [name, fromQuestion(name)])),
  needs: ["to|toName"],
  steps: [
    ...sendEmail<EmailValues>(({ request, subject: own }) => ({
      subject:
        own ??
        request
          .split(/[.!?\n]/)[0]
          ?.split(/\s+/)
          .slice(0, 8)
          .join(" ") ??
        "",
      body: request,
    })),
  ],
});
