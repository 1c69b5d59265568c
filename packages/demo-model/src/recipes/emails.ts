import { defineRecipe } from "../recipe/recipe.ts";

import { after, flag, type SlotReader } from "../recipe/slot.ts";
import { contentWords, mentions, sentencesOf } from "../words/content-words.ts";
import { numberOf, numberPattern, sayDay } from "./days.ts";
import { counted, fieldOf, objectsOf, textOf } from "./json.ts";
import { nameOf, sender } from "./people.ts";
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
  type MailMatch,
  type MailMessage,
  type MessageValues,
  type SearchValues,
} from "./search-email.ts";

import { emailLater, emailSlots, sendEmail, type EmailValues } from "./send-email.ts";

const isUnread = flag(
  /\bunread\b|\b(?:haven't|not|have not|didn't|did not)(?: i| yet)*(?: read| opened| seen)(?: yet)?\b/,
);

/** Reads the words of a topic. A quotation stays one word. */
export const topicAfter =
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
  unless: ["channel|slack", "i send|sent|write|wrote|written|forward|forwarded|delete|deleted"],
  slots: { ...searchSlots, topic: topicAfter(/\babout (?<value>[^.?!,;]+)/) },
  later: { age, sender },
  steps: [
    {
      call: "gmail_search",
      with: ({ topic, kind, ...search }) => ({
        query: mailQueries({
          ...search,
          document: kind,
          words: topic,
          isFromOthers: kind !== undefined,
          isList: true,
        })[0],
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

interface ListValues extends CountValues, EmailValues {
  isSent?: boolean;
  /** How many of them: "my last 3 mails". */
  count?: number;
  isSummary?: boolean;
  shown?: readonly MailMatch[];
  mails?: readonly unknown[];
}

const count: SlotReader<number> = (text) => {
  const words = text.take(
    new RegExp(
      `\\b(?:(?:last|latest|newest|most recent|top|first) )?(?<value>${numberPattern}) (?:(?:last|latest|newest|most recent|new) )?(?=(?:unread )?(?:e-?mails|mails|messages)\\b)`,
    ),
  );
  return words === undefined ? undefined : numberOf(words.toLowerCase());
};

/** The mails that one summary reads. */
const maxSummarized = 10;

const threadsOf = (matches: readonly MailMatch[]) => [
  ...new Set(matches.map(({ threadId }) => threadId)),
];

/** Who wrote what: the first sentence, and those with dates, numbers or questions. */
function gistOf(mail: unknown, match: MailMatch): string {
  const all = objectsOf(fieldOf(mail, "messages") ?? [mail]);
  const own = all.find((one) => one["messageId"] === match.messageId) ?? all.at(-1);
  const sentences = keySentences({ text: textOf(own, "text"), from: match.from }, [], 20);
  const matters =
    /\d|\?$|\b(?:please|need|deadline|due|urgent|until|by|(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|today|week)\b/i;
  const chosen = new Set([
    ...sentences.slice(0, 1),
    ...sentences.filter((sentence) => matters.test(sentence)).slice(0, 2),
  ]);
  const said = sentences.filter((sentence) => chosen.has(sentence)).join(" ");
  return `- ${sayMatch(match)}. ${said || match.snippet || "It has no text."}`;
}

export const listEmailsRecipe = defineRecipe<ListValues>({
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
    "which|what|any|list|show invoices|orders|bills|quotes|receipts",
  ],
  unless: [
    "^send|write|draft|email|mail|reply|post|delete|archive|translate|mark|unsubscribe|clean|forward",
    "i send|sent|write|wrote|written|forward|forwarded|delete|deleted",
    "due|overdue|unpaid|paid|slack|channel|delete|archive|translate|unsubscribe|spam|label",
  ],
  slots: {
    isSent: flag(/\bsent (?=e-?mails?\b|mails?\b|messages\b)/),
    isInbox: (text) =>
      text.has(
        /\b(?:inbox|mailbox|(?:my|new|any|the|latest|recent) (?:e-?mails?|mails?|messages))\b/,
      ),
    toMe: (text) =>
      text.has(
        /\b(?:e-?mailed|mailed|wrote|written|e-?mail|mail) (?:to )?me\b|\b(?:any|some)(?:one|body)\b/,
      ),
    isSummary: flag(/\bsummar\w*|\brecap\b|\boverview\b|\bdigest\b|\bgist\b/),
    ...emailSlots,
    count,
    ...searchSlots,
    isUnread: flag(/\bunread\b|\bnew (?=e-?mails?|mails?|messages)/),
    topic: topicAfter(/\b(?:about|for|mentioning|containing) (?:the |my )?(?<value>[^.?!,;]+)/),
  },
  needs: ["isSent|isUnread|kind|sender|topic|age|isInbox|count"],
  continues: ["send|mail|email it|them|that|summary"],
  later: { age, sender, ...emailLater },
  steps: [
    ...searchEmail<ListValues>(
      ({ topic, kind, toMe, isSent, sender: from, isUnread: unread, age: period }) => ({
        isSent,
        isFromOthers: toMe === true || kind !== undefined,
        isList: true,
        sender: from,
        isUnread: unread,
        age: period,
        document: kind,
        words: topic,
      }),
      ({ toMe }) => toMe === true,
    ),
    {
      set: ({ found: { matches = [] } = {}, count: wanted, isSummary }) => ({
        shown: matches.slice(0, Math.min(wanted ?? 25, isSummary ? maxSummarized : 25)),
      }),
    },
    {
      if: ({ isSummary }) => isSummary,
      call: "gmail_thread_read",
      with: ({ shown = [] }) => threadsOf(shown).map((threadId) => ({ threadId })),
      doing: "read the emails",
      as: "mails",
    },
    {
      say: ({ shown = [], isSummary, mails = [] }) => [
        isSummary
          ? `What ${counted(shown.length, "email")} ${shown.length === 1 ? "says" : "say"}:`
          : `Found ${counted(shown.length, "matching email")}:`,
        ...shown.map((match) =>
          isSummary
            ? gistOf(mails[threadsOf(shown).indexOf(match.threadId)], match)
            : `- ${sayMatch(match)}`,
        ),
      ],
    },
    {
      if: ({ isSummary, count: wanted, found, shown = [] }) =>
        (isSummary || wanted) &&
        (wanted ?? Infinity) > shown.length &&
        (found?.hasMore || (found?.matches.length ?? 0) > shown.length),
      say: ({ shown = [] }) => `There are more. I read the newest ${shown.length} only.`,
      outcome: "partly_done",
    },
    {
      if: ({ isSummary, count: wanted, found }) => !isSummary && !wanted && found?.hasMore,
      say: ({ shown = [] }) => `There are more. These are the newest ${shown.length}.`,
    },
    {
      if: ({ count: wanted = 0, found, shown = [] }) =>
        wanted > shown.length && !found?.hasMore && found?.matches.length === shown.length,
      say: "There are no more than these.",
    },
    ...sendEmail<ListValues>(({ said, isUnread: unread }) => ({
      subject: unread ? "Unread emails" : "Emails",
      body: said.join("\n"),
      isSummary: true,
    })),
  ],
  result: ({ said }) => said.join("\n"),
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
function keySentences(
  { text, from }: Pick<MailMessage, "text" | "from">,
  words: readonly string[],
  most = 4,
): readonly string[] {
  const lines = text.slice(0, 20_000).split(/\r?\n/);
  const end = lines.findIndex((line) => quotedStart.test(line.trim()));
  const own = (end < 0 ? lines : lines.slice(0, end)).filter((line) => !line.startsWith(">"));
  const sentences = sentencesOf(own.join("\n").replace(/(?<![.!?,:\n])\n(?=\S)/g, " ")).filter(
    (sentence) => !greeting.test(sentence) && !from.includes(sentence.replace(/[.,]$/, "")),
  );
  const relevant = sentences.filter((sentence) => mentions(sentence, words));
  return (relevant.length > 0 ? relevant : sentences).slice(0, most);
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
    "^send|email|mail summary|recap mail|email|message|mails|emails",
  ],
  unless: ["slack|channel", "note|notes", "attached", "^reply|post|schedule"],
  slots: {
    ...emailSlots,
    topic: topicAfter(/\babout (?:the |my )?(?<value>[^.?!,;]+)/),
    isLatest: flag(
      /(?<!\b(?:their|there|his|her) )\b(?:last|latest|newest|most recent) (?:e-?mail|mail|message)\b/,
    ),
    age,
    sender,
  },
  needs: ["sender|isLatest"],
  continues: [
    "tell|what it_says|says|it",
    "summar* it",
    "summar*|read|show|open|what their|there|his|her last|latest|newest",
  ],
  later: { sender, ...emailLater },
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
