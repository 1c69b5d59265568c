import { quotation } from "../recipe/quotes.ts";
import { defineRecipe } from "../recipe/recipe.ts";
import { after, flag, type SlotReader } from "../recipe/slot.ts";
import { readOutcome } from "../recipe/tool-outcome.ts";
import { contentWords, mentions, sentencesOf } from "../words/content-words.ts";
import { sayDay } from "../words/days.ts";
import { counted, listOf, textOf } from "../words/json.ts";
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
import { emailSlots, sendEmail, subject, type EmailValues } from "./send-email.ts";
import { describeSent, readSent } from "./sent-email.ts";

const isUnread = flag(/\bunread\b/);

/** Reads the words of a topic. A quotation stays one word. */
const topicAfter =
  (pattern: RegExp): SlotReader<readonly string[]> =>
  (text, context) =>
    contentWords(after(pattern)(text, context) ?? "");

interface CountValues extends SearchValues {
  isUnread?: boolean;
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
  ],
  phrases: [
    "show|list|find|search|any|which|what|summar*|look|check mails|emails|mail|email|messages|inbox",
    "which|any|list|show invoices|orders|bills|quotes|receipts",
  ],
  unless: ["^send|write|draft|email|mail|reply|post"],
  slots: {
    ...searchSlots,
    topic: topicAfter(/\b(?:about|for|mentioning|containing) (?:the |my )?(?<value>[^.?!,;]+)/),
  },
  needs: ["isUnread|kind|sender|topic|age"],
  later: ["age", "sender"],
  steps: [
    ...searchEmail<CountValues>(({ topic, kind, ...search }) => ({
      ...search,
      document: kind,
      words: topic,
    })),
    { say: ({ found }) => found?.matches.map((match) => `- ${sayMatch(match)}`) },
  ],
});

interface ReadValues extends MessageValues, EmailValues {
  topic?: readonly string[];
  age?: string;
  sender?: string;
  isLatest?: boolean;
  sentences?: readonly string[];
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
  later: ["sender", "to", "delivery"],
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
    {
      say: ({ message, sentences = [] }) =>
        sentences.length === 0
          ? "The email has no text."
          : [
              `${nameOf(message?.from ?? "")} wrote on ${sayDay(message?.date.slice(0, 10))} ("${message?.subject}"):`,
              ...sentences.map((sentence) => `- ${sentence}`),
            ],
    },
    ...sendEmail<ReadValues>(({ message, said }) => ({
      subject: `Summary: ${message?.subject}`,
      body: said.slice(1).join("\n"),
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
  /:\s+(?<value>\S.+)$/s,
);

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
      say: "What should the email say?",
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
}

export const composeRecipe = defineRecipe<ComposeValues>({
  topic: "email",
  task: "write an email",
  examples: [
    "Send an email to a@b.example with subject Lunch saying Are you free on Friday?",
    "email a@b.example, subject: Lunch, saying Are you free on Friday?",
    "Send an email to a@b.example saying see https://x.example/ for more",
    "Email a@b.example that I'm running late",
  ],
  phrases: ["^send|write|draft|compose|email|mail|prepare"],
  unless: ["note", "reply", "^send|mail|email tomorrow|tonight|later"],
  slots: {
    isSent: flag(/,?\s+(?:and|then)(?: then)? send it\W*$/),
    subject,
    body,
    delivery: emailSlots.delivery,
    cc: emailSlots.cc,
    to: emailSlots.to,
  },
  needs: ["to", "body|subject"],
  continues: ["send it", "text|saying|subject"],
  steps: [
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

interface DraftValues extends EmailValues {
  earlier?: { readonly draftId: string; readonly to: readonly string[]; readonly subject: string };
}

const ownSentence = /to (?<to>\S+@[^\s:]+?): "(?<subject>[^"]+)" \(draft (?<draftId>[^\s)]+)\)/;

/** The last draft of the conversation, by its tool result or by this model's message about it. */
const earlierDraft: SlotReader<NonNullable<DraftValues["earlier"]>> = (_, { conversation }) => {
  const made = conversation.earlierResults.findLast(({ name }) =>
    /^gmail_(?:draft_create|createDraft)$/.test(name),
  );
  const outcome = made === undefined ? undefined : readOutcome(made.response);
  if (made !== undefined && outcome?.status === "done" && textOf(outcome.value, "draftId") !== "")
    return {
      draftId: textOf(outcome.value, "draftId"),
      to: listOf(made.args["to"]).map(String),
      subject: textOf(made.args, "subject"),
    };
  const said = conversation.earlierMessages
    .flatMap(({ by, text }) => (by === "model" ? [ownSentence.exec(text)?.groups] : []))
    .findLast((groups) => groups !== undefined);
  const { draftId = "", to = "", subject: title = "" } = said ?? {};
  return draftId === "" ? undefined : { draftId, to: [to], subject: title };
};

export const sendDraftRecipe = defineRecipe<DraftValues>({
  topic: "email",
  task: "",
  examples: [],
  phrases: ["^send it|that|draft|mail|email"],
  unless: ["to|saying|about|summary|from|subject"],
  isEntireMessage: true,
  slots: { earlier: earlierDraft },
  needs: ["earlier"],
  steps: [
    {
      call: "gmail_draft_send|gmail_sendDraft",
      with: ({ earlier }) => ({ draftId: earlier?.draftId }),
      doing: "send the draft",
      isEffect: true,
      as: "sent",
      read: readSent,
    },
    {
      say: ({ earlier = { to: [], subject: "" }, sent }) => `Sent ${describeSent(sent, earlier)}.`,
    },
  ],
});
