import { Temporal } from "temporal-polyfill";
import type { Language } from "../mail/language.ts";
import { foldText } from "../reading/fold-text.ts";
import { sayShortDay } from "../when/say-when.ts";
import {
  call,
  findDays,
  emailResult,
  type FoundDays,
  type FlowContext,
  type WorkspaceFlow,
} from "../workspace/workspace-flow.ts";
import { digestTalk, type Quote } from "./digest-talk.ts";
import { readChannels, readTalk, type TalkMessage } from "./slack-results.ts";
import type { SlackTask } from "./slack-task.ts";
import { slackWordsIn, type SlackWords } from "./slack-words.ts";

const pageSize = 100;
const maxPages = 3;
const maxConversations = 6;
const maxLines = 8;

export function* runSlackTask(task: SlackTask, context: FlowContext): WorkspaceFlow {
  if (task.channels.length === 0) return yield* listChannels(task, context);
  const words = slackWordsIn(context.language);
  const days = task.days && (yield* findDays(task.days, context));
  if (task.days !== undefined && days === undefined) return;
  const lines: string[] = [];
  for (const channel of task.channels)
    lines.push(...(yield* readAndDigest(channel, days, { task, context, words })));
  if (lines.length > 0)
    yield* emailResult(
      { subject: words.subject(task.channels.join(", #")), lines },
      task.emailRequest,
      context,
    );
}

function* listChannels({ isList }: SlackTask, context: FlowContext): WorkspaceFlow {
  const words = slackWordsIn(context.language);
  const listed = yield* call({ role: "channels", args: {}, detail: "" }, context);
  if (listed === undefined) return;
  const channels = readChannels(listed.value);
  if (channels.length === 0) return context.report.add(words.noChannels);
  context.report.add(
    words.channels(channels.length),
    ...channels.map(
      ({ name, about, isMember }) =>
        `- #${name}${about === "" ? "" : `: ${about}`}${isMember ? "" : ` (${words.notReadable})`}`,
    ),
  );
  if (!isList) context.report.add(words.whichChannel);
}

interface Reading {
  readonly task: SlackTask;
  readonly context: FlowContext;
  readonly words: SlackWords;
}

/** Reports a channel and returns the reported lines. Empty when the channel could not be read. */
function* readAndDigest(
  channel: string,
  days: FoundDays | undefined,
  { task, context, words }: Reading,
): WorkspaceFlow<readonly string[]> {
  const period = days === undefined ? "" : periodOf(days, task.days, context.language);
  const read = yield* readChannel(channel, days, context);
  if (read === undefined) return [];
  const { messages, isComplete } = task.withConversations
    ? { ...read, messages: yield* addConversations(channel, read.messages, context) }
    : read;
  const unread = task.withConversations
    ? messages.filter(({ replies }) => replies > 0).length - maxConversations
    : messages.filter(({ replies }) => replies > 0).length;
  const lines = [
    ...(messages.length === 0
      ? [words.nothing(channel, period)]
      : [
          words.read(channel, messages.length, period),
          ...digestLines(messages, channel, { task, context, words }),
        ]),
    ...(isComplete ? [] : [words.olderUnread]),
    ...(unread > 0 ? [words.conversationsUnread(unread)] : []),
  ];
  context.report.add(...lines);
  return messages.length === 0 ? [] : lines;
}

function periodOf(days: FoundDays, wish: SlackTask["days"], language: Language): string {
  const words = slackWordsIn(language);
  return wish?.kind === "days" && wish.count < -1
    ? words.lastDays(-wish.count)
    : words.period(
        sayShortDay(days.from.toString(), language),
        sayShortDay(days.to.toString(), language),
      );
}

function* readChannel(
  channel: string,
  days: FoundDays | undefined,
  context: FlowContext,
): WorkspaceFlow<
  { readonly messages: readonly TalkMessage[]; readonly isComplete: boolean } | undefined
> {
  const isPast = days?.today !== undefined && Temporal.PlainDate.compare(days.to, days.today) < 0;
  const bounds =
    days === undefined
      ? {}
      : {
          since: days.from.toString(),
          ...(isPast ? { until: days.to.add({ days: 1 }).toString() } : {}),
        };
  let messages: readonly TalkMessage[] = [];
  let cursor = "";
  for (let page = 0; page < (days === undefined ? 1 : maxPages); page += 1) {
    const outcome = yield* call(
      {
        role: "talk",
        args: {
          channel,
          ...bounds,
          limit: days === undefined ? 30 : pageSize,
          ...(cursor === "" ? {} : { cursor }),
        },
        detail: `#${channel}`,
      },
      context,
    );
    if (outcome === undefined) return undefined;
    const read = readTalk(outcome.value);
    // Every further page holds older messages.
    messages = [...read.messages, ...messages];
    cursor = read.nextCursor;
    if (cursor === "") break;
  }
  return { messages, isComplete: days === undefined || cursor === "" };
}

/** Puts the replies of a thread directly after its first message. */
function* addConversations(
  channel: string,
  messages: readonly TalkMessage[],
  context: FlowContext,
): WorkspaceFlow<readonly TalkMessage[]> {
  const wanted = new Set(
    messages
      .filter(({ replies }) => replies > 0)
      .slice(-maxConversations)
      .map(({ ts }) => ts),
  );
  const all: TalkMessage[] = [];
  for (const message of messages) {
    all.push(message);
    if (!wanted.has(message.ts)) continue;
    const outcome = yield* call(
      {
        role: "talk",
        args: { channel, threadTs: message.ts, limit: pageSize },
        detail: `#${channel}`,
      },
      context,
    );
    if (outcome !== undefined)
      all.push(...readTalk(outcome.value).messages.filter(({ ts }) => ts !== message.ts));
  }
  // A reply that was also sent to the channel appears in the channel and in its thread.
  return all.filter(
    ({ ts, text }, index) =>
      all.findIndex((other) => other.ts === ts && other.text === text) === index,
  );
}

function digestLines(
  messages: readonly TalkMessage[],
  channel: string,
  { task, context, words }: Reading,
): readonly string[] {
  const { writer } = task;
  const theirs =
    writer === undefined
      ? messages
      : messages.filter(({ who }) => foldText(who).includes(foldText(writer)));
  if (writer !== undefined && theirs.length === 0) return [words.nothingBy(channel, writer)];
  const { decisions, questions, others } = digestTalk(theirs, task.topic);
  if (decisions.length + questions.length + others.length === 0)
    return [words.nothingAbout(channel, task.topic.join(" "))];
  if (task.focus === "decisions")
    return decisions.length === 0
      ? [words.noDecisions]
      : section(words.decisions, decisions, context.language);
  if (task.focus === "questions")
    return questions.length === 0
      ? [words.noQuestions]
      : section(words.questions, questions, context.language);
  return [
    ...section(words.decisions, decisions, context.language),
    ...section(words.questions, questions, context.language),
    ...section(words.others, others, context.language),
  ];
}

function section(title: string, quotes: readonly Quote[], language: Language): readonly string[] {
  if (quotes.length === 0) return [];
  const hidden = quotes.length - maxLines;
  return [
    title,
    ...quotes
      .slice(-maxLines)
      .map(({ day, who, sentence }) => `- ${sayShortDay(day, language)}, ${who}: ${sentence}`),
    ...(hidden > 0 ? [slackWordsIn(language).further(hidden)] : []),
  ];
}
