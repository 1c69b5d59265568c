import { defineRecipe } from "../recipe/recipe.ts";
import { after, flag, type SlotReader } from "../recipe/slot.ts";
import { createText } from "../recipe/text.ts";
import { contentWords, mentions, sentencesOf } from "../words/content-words.ts";
import { days, plusDays, sayDay, type Days } from "./days.ts";
import { counted, fieldOf, objectsOf, textOf } from "./json.ts";
import { checkDays } from "./calendar-steps.ts";
import { emailLater, emailSlots, sendEmail, type EmailValues } from "./send-email.ts";

interface SlackMessage {
  readonly ts: string;
  readonly at: string;
  readonly who: string;
  readonly text: string;
  readonly replies: number;
}

export interface ChannelRead {
  readonly messages: readonly SlackMessage[];
  readonly hasMore: boolean;
}

type Focus = "decisions" | "questions";

interface DigestValues extends EmailValues {
  channels?: readonly string[];
  withReplies?: boolean;
  focus?: Focus;
  days?: Days;
  writer?: string;
  topic?: string;
  reads?: readonly ChannelRead[];
  threads?: readonly { readonly channel: string; readonly ts: string }[];
  replies?: readonly ChannelRead[];
  isEmpty?: boolean;
}

const channels: SlotReader<readonly string[]> = (text) =>
  [
    ...text.takeAll(/(?<![\w&])#(?<value>[a-z][\w-]*)/),
    ...text.takeAll(/\b(?:the )?(?<value>[a-z][\w-]*) channel\b/),
  ].map((name) => name.toLowerCase());

/** A weekday is the last one. Other days to come stay in the text, because they limit nothing. */
export const pastDays: SlotReader<Days> = (text, context) => {
  const { today } = context;
  const words = createText(text.rest());
  const found = days(words, context);
  if (today === "" || found === undefined || found.from <= today) return days(text, context);
  const isWeekday =
    found.to < plusDays(today, 8) && !text.has(/\btomorrow|next|coming|in \w+ days?\b/);
  if (!isWeekday) return undefined;
  days(text, context);
  return { ...found, from: plusDays(found.from, -7), to: plusDays(found.to, -7) };
};

const focus: SlotReader<Focus> = (text) => {
  if (text.take(/\bdeci(?:ded?|sions?)\b|\bagreed\b/) !== undefined) return "decisions";
  return text.take(/\b(?:open )?questions\b/) === undefined ? undefined : "questions";
};

export function readMessages(result: unknown): ChannelRead {
  return {
    hasMore: textOf(result, "nextCursor") !== "" || fieldOf(result, "more") === true,
    messages: objectsOf(fieldOf(result, "messages")).map((message) => ({
      ts: textOf(message, "ts"),
      at: textOf(message, "at"),
      who: textOf(message, "who"),
      text: textOf(message, "text"),
      replies: Number(message["replies"]) || 0,
    })),
  };
}

/** Messages of a channel and its threads, each once, oldest first. */
function allMessages(values: DigestValues, index: number): readonly SlackMessage[] {
  const { channels: names = [], reads = [], threads = [], replies = [] } = values;
  const inThreads = threads.flatMap(({ channel }, at) =>
    channel === names[index] ? (replies[at]?.messages ?? []) : [],
  );
  const all = [...(reads[index]?.messages ?? []), ...inThreads].filter(({ text }) => text !== "");
  return all
    .filter(({ ts, text }, at) => all.findIndex((one) => one.ts === ts && one.text === text) === at)
    .toSorted((a, b) => a.at.localeCompare(b.at));
}

const decision =
  /\b(?:decided|decides|agreed|approved|confirmed|settled|signed|from now on|says? yes|stays? (?:at|with)|no longer|let's|do it|goes? with|we (?:take|will|keep))\b/i;
const undecided =
  /\b(?:to be|not|yet to be|still|if)\s+(?:be\s+)?(?:decided|agreed|approved|confirmed|settled|signed)\b/i;
const maxLines = 8;

/** Quotes decisions, questions and the first sentence of other messages, with day and author. */
export function digest(messages: readonly SlackMessage[], wanted?: Focus): readonly string[] {
  const quotes = { decisions: [] as string[], questions: [] as string[], others: [] as string[] };
  for (const { at, who, text } of messages) {
    const sentences = sentencesOf(text);
    const quote = (sentence: string) => `- ${sayDay(at.slice(0, 10), true)}, ${who}: ${sentence}`;
    const asked = sentences.filter((sentence) => sentence.endsWith("?"));
    const decided = sentences.filter(
      (sentence) =>
        decision.test(sentence) && !undecided.test(sentence) && !asked.includes(sentence),
    );
    quotes.decisions.push(...decided.map(quote));
    quotes.questions.push(...asked.map(quote));
    if (decided.length + asked.length === 0)
      quotes.others.push(...sentences.slice(0, 1).map(quote));
  }
  if (wanted !== undefined)
    return quotes[wanted].length === 0
      ? [`No ${wanted} found.`]
      : section(wanted === "decisions" ? "Decisions:" : "Questions:", quotes[wanted]);
  return [
    ...section("Decisions:", quotes.decisions),
    ...section("Questions:", quotes.questions),
    ...section("Other:", quotes.others),
  ];
}

function section(title: string, quotes: readonly string[]): readonly string[] {
  if (quotes.length === 0) return [];
  const hidden = quotes.length - maxLines;
  return [title, ...quotes.slice(-maxLines), ...(hidden > 0 ? [`(and ${hidden} more)`] : [])];
}

function sayPeriod(period: Days | undefined): string {
  if (period === undefined) return "";
  if (period.count < -1) return `last ${-period.count} days`;
  return [...new Set([sayDay(period.from, true), sayDay(period.to, true)])].join(" to ");
}

function describeChannel(values: DigestValues, index: number): readonly string[] {
  const name = values.channels?.[index];
  const messages = allMessages(values, index);
  const period = sayPeriod(values.days);
  if (messages.length === 0)
    return [`No messages in #${name}${period === "" ? "" : `, ${period}`}.`];
  const words = contentWords(values.topic ?? "");
  const theirs =
    values.writer === undefined
      ? messages
      : messages.filter(({ who }) => mentions(who, [values.writer ?? ""]));
  const about = theirs.filter(({ text }) => words.every((word) => mentions(text, [word])));
  const unread = messages.filter(({ replies }) => replies > 0).length;
  const heading = `#${name}, ${period || "latest"} (${counted(messages.length, "message")})`;
  return [
    heading,
    ...(theirs.length === 0
      ? [`No messages from ${values.writer} in #${name} in that period.`]
      : []),
    ...(theirs.length > 0 && about.length === 0
      ? [`No messages about ${words.join(" ")} in #${name} in that period.`]
      : []),
    ...(about.length === 0 ? [] : digest(about, values.focus)),
    ...(values.reads?.[index]?.hasMore ? ["There are older messages that I didn't read."] : []),
    ...(unread > 0 && values.threads?.length === 0
      ? [`I didn't read the replies to ${counted(unread, "message")}.`]
      : []),
  ];
}

const writer = after(
  /\bdid (?<value>(?!(?:any|some|every)(?:one|body)\b|(?:i|we|you|they|it|he|she|the)\b)[\p{L}-]+) (?:say|write|post|ask|mention)\b/u,
);
const topic = after(
  /\b(?:about|mention(?:ed|s)?|regarding) (?:the )?(?<value>[^.?!,;]+?)(?=\s+in\b|\s{2,}|[.?!,;]|$)/,
);

export const slackDigestRecipe = defineRecipe<DigestValues>({
  topic: "Slack",
  task: "summarize a channel",
  examples: [
    "Summarize the last week in #orders and email it to jonas@x.example.",
    "What was decided in #leadership in the last 14 days?",
    "What happened in #orders this week?",
    "Give me a summary of the orders channel this week",
    "Summarise #workshop since Monday",
    "What did Felix say in #orders this week?",
    "did anyone mention gate 2 in #general?",
    "Send jonas@lindqvist.example a summary of #orders of the last seven days",
    "the decisions in #leadership",
  ],
  phrases: [
    "did|has|have|anyone|anybody|someone|what|what's|who|summar*|give|read|send|email|mail|show|catch|digest|decisions|questions|anything|recap|were|was|any|check|new|news|latest|happening|look|open|list",
  ],
  unless: ["^post|publish|write", "saying|message_to"],
  slots: {
    ...emailSlots,
    channels,
    withReplies: flag(
      /\b(?:with|including) (?:its |the |all )?(?:conversations|replies|threads)\b/,
    ),
    focus,
    days: pastDays,
    writer,
    topic,
  },
  needs: ["channels"],
  continues: ["send|mail|email it|them|that|summary"],
  fillers: "anybody anyone say said something mention mentioned talk talked lately",
  later: { channels, focus, days: pastDays, writer, topic, ...emailLater },
  steps: [
    ...checkDays,
    {
      call: "slack_read",
      with: ({ channels: names = [], days: period, today }) =>
        names.map((channel) => ({
          channel,
          since: period?.from,
          until: period !== undefined && period.to < today ? plusDays(period.to, 1) : undefined,
          limit: 100,
        })),
      doing: "read the Slack channel",
      as: "reads",
      read: readMessages,
    },
    {
      set: ({ channels: names = [], reads = [], focus: wanted, withReplies }) => ({
        threads:
          wanted === undefined && withReplies !== true
            ? []
            : reads.flatMap(({ messages }, index) =>
                messages
                  .filter(({ replies, ts }) => replies > 0 && ts !== "")
                  .slice(-6)
                  .map(({ ts }) => ({ channel: names[index] ?? "", ts })),
              ),
      }),
    },
    {
      call: "slack_read",
      with: ({ threads = [] }) =>
        threads.map(({ channel, ts }) => ({ channel, threadTs: ts, limit: 100 })),
      doing: "read the replies",
      as: "replies",
      read: readMessages,
      rescue: () => ({ messages: [], hasMore: false }),
    },
    {
      say: (values) =>
        (values.channels ?? []).flatMap((_, index) => describeChannel(values, index)),
    },
    {
      if: (values) =>
        (values.channels ?? []).every((_, index) => allMessages(values, index).length === 0),
      say: "",
      stop: true,
      outcome: ({ delivery }) => (delivery === undefined ? "done" : "could_not"),
    },
    ...sendEmail<DigestValues>(({ channels: names = [], said }) => ({
      subject: `Summary of #${names.join(", #")}`,
      body: said.join("\n"),
      isSummary: true,
    })),
  ],
  result: ({ said }) => said.join("\n"),
});

export const listChannelsRecipe = defineRecipe<{ lines?: readonly string[] }>({
  topic: "Slack",
  task: "list the channels",
  examples: [
    "Which channels are there?",
    "List the Slack channels",
    "Show me the channels in Slack",
  ],
  phrases: ["which|what|list|show|slack channels"],
  slots: {},
  steps: [
    {
      call: "slack_channels",
      doing: "list the Slack channels",
      as: "lines",
      read: (result) =>
        objectsOf(fieldOf(result, "channels")).map((channel) => {
          const about = textOf(channel, "purpose") || textOf(channel, "topic");
          return `- #${textOf(channel, "name")}${about === "" ? "" : `: ${about}`}${channel["isMember"] === false ? " (can't read it, not invited)" : ""}`;
        }),
    },
    {
      say: ({ lines = [] }) =>
        lines.length === 0
          ? "No channels found."
          : [`${counted(lines.length, "channel")}:`, ...lines],
    },
  ],
});
