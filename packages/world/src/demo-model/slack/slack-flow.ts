import { Temporal } from "temporal-polyfill";
import { foldText } from "../reading/fold-text.ts";
import {
  call,
  findDays,
  writeUp,
  type FoundDays,
  type Say,
  type WorkspaceFlow,
} from "../workspace/workspace-flow.ts";
import { digestTalk, type Said } from "./digest-talk.ts";
import { readChannels, readTalk, type TalkMessage } from "./slack-results.ts";
import type { SlackTask } from "./slack-task.ts";
import { slackWordsIn, type SlackWords } from "./slack-words.ts";

const pageSize = 100;
const maxPages = 3;
const maxConversations = 6;
const maxLines = 8;

export function* runSlackTask(task: SlackTask, say: Say): WorkspaceFlow {
  if (task.channels.length === 0) return yield* listChannels(task, say);
  const words = slackWordsIn(say.language);
  const days = task.days && (yield* findDays(task.days, say));
  if (task.days !== undefined && days === undefined) return;
  const told: string[] = [];
  for (const channel of task.channels)
    told.push(...(yield* readAndDigest(channel, days, { task, say, words })));
  if (told.length > 0)
    yield* writeUp(
      { subject: words.subject(task.channels.join(", #")), lines: told },
      task.letter,
      say,
    );
}

function* listChannels({ isList }: SlackTask, say: Say): WorkspaceFlow {
  const words = slackWordsIn(say.language);
  const listed = yield* call({ role: "channels", args: {}, detail: "" }, say);
  if (listed === undefined) return;
  const channels = readChannels(listed.value);
  if (channels.length === 0) return say.report.say(words.noChannels);
  say.report.say(
    words.channels(channels.length),
    ...channels.map(
      ({ name, about, isMember }) =>
        `- #${name}${about === "" ? "" : `: ${about}`}${isMember ? "" : ` (${words.notReadable})`}`,
    ),
  );
  if (!isList) say.report.say(words.whichChannel);
}

interface Reading {
  readonly task: SlackTask;
  readonly say: Say;
  readonly words: SlackWords;
}

/** What is said about a channel; empty when it could not be read. */
function* readAndDigest(
  channel: string,
  days: FoundDays | undefined,
  { task, say, words }: Reading,
): WorkspaceFlow<readonly string[]> {
  const period = days === undefined ? "" : words.period(days.from.toString(), days.to.toString());
  const read = yield* readChannel(channel, days, say);
  if (read === undefined) return [];
  const { messages, isWhole } = task.withConversations
    ? { ...read, messages: yield* addConversations(channel, read.messages, say) }
    : read;
  const unread = task.withConversations
    ? messages.filter(({ replies }) => replies > 0).length - maxConversations
    : messages.filter(({ replies }) => replies > 0).length;
  const lines = [
    ...(messages.length === 0
      ? [words.nothing(channel, period)]
      : [
          words.read(channel, messages.length, period),
          ...digestLines(messages, channel, { task, words }),
        ]),
    ...(isWhole ? [] : [words.olderUnread]),
    ...(unread > 0 ? [words.conversationsUnread(unread)] : []),
  ];
  say.report.say(...lines);
  return messages.length === 0 ? [] : lines;
}

function* readChannel(
  channel: string,
  days: FoundDays | undefined,
  say: Say,
): WorkspaceFlow<
  { readonly messages: readonly TalkMessage[]; readonly isWhole: boolean } | undefined
> {
  const isOver = days?.today !== undefined && Temporal.PlainDate.compare(days.to, days.today) < 0;
  const bounds =
    days === undefined
      ? {}
      : {
          since: days.from.toString(),
          ...(isOver ? { until: days.to.add({ days: 1 }).toString() } : {}),
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
      say,
    );
    if (outcome === undefined) return undefined;
    const read = readTalk(outcome.value);
    // Later pages are older.
    messages = [...read.messages, ...messages];
    cursor = read.nextCursor;
    if (cursor === "") break;
  }
  return { messages, isWhole: days === undefined || cursor === "" };
}

/** The answers come right behind what they answer. */
function* addConversations(
  channel: string,
  messages: readonly TalkMessage[],
  say: Say,
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
      say,
    );
    if (outcome !== undefined)
      all.push(...readTalk(outcome.value).messages.filter(({ ts }) => ts !== message.ts));
  }
  // An answer that was also sent to the channel stands in both.
  return all.filter(
    ({ ts, text }, index) =>
      all.findIndex((other) => other.ts === ts && other.text === text) === index,
  );
}

function digestLines(
  messages: readonly TalkMessage[],
  channel: string,
  { task, words }: Omit<Reading, "say">,
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
      : section(words.decisions, decisions, words);
  if (task.focus === "questions")
    return questions.length === 0
      ? [words.noQuestions]
      : section(words.questions, questions, words);
  return [
    ...section(words.decisions, decisions, words),
    ...section(words.questions, questions, words),
    ...section(words.others, others, words),
  ];
}

function section(title: string, said: readonly Said[], words: SlackWords): readonly string[] {
  if (said.length === 0) return [];
  const hidden = said.length - maxLines;
  return [
    title,
    ...said.slice(-maxLines).map(({ day, who, sentence }) => `- ${day}, ${who}: ${sentence}`),
    ...(hidden > 0 ? [words.further(hidden)] : []),
  ];
}
