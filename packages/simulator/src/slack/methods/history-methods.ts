import { cutPage } from "../cut-page.ts";
import { messageResource } from "../resources.ts";
import { isSet, readLimit, readTime, required, type SlackArguments } from "../slack-arguments.ts";
import { SlackError } from "../slack-error.ts";
import {
  kindScopes,
  pageEnd,
  reachHistory,
  type SlackCall,
  type SlackMethod,
} from "../slack-method.ts";
import { readTs } from "../slack-times.ts";
import type { SlackMessage } from "../state/slack-entry.ts";

const timeOf = ({ ts }: SlackMessage) => readTs(ts) ?? 0n;
const isReply = ({ threadTs, ts }: SlackMessage) => threadTs !== undefined && threadTs !== ts;

/** Both ends are exclusive unless `inclusive` is set. */
function withinTimes(args: SlackArguments): (message: SlackMessage) => boolean {
  const [oldest, latest] = [readTime(args, "oldest"), readTime(args, "latest")];
  const isInclusive = isSet(args, "inclusive");
  return (message) => {
    const time = timeOf(message);
    if (isInclusive && (time === oldest || time === latest)) return true;
    return (oldest === undefined || time > oldest) && (latest === undefined || time < latest);
  };
}

/** Slack returns metadata only on request. */
function metadataOf({ args }: SlackCall, { metadata }: SlackMessage) {
  return isSet(args, "include_all_metadata") && metadata ? { metadata } : {};
}

function showHistory(call: SlackCall) {
  const { args, workspace } = call;
  const channel = reachHistory(call, required(args, "channel"));
  const all = workspace.messages(channel.id);
  const within = withinTimes(args);
  const shown = all
    .filter(
      (message) => (!isReply(message) || message.subtype === "thread_broadcast") && within(message),
    )
    .reverse();
  const page = cutPage(shown, {
    limit: readLimit(args, { defaultLimit: 100, max: 999 }),
    cursor: args.get("cursor"),
    mark: "next_ts",
    keyOf: (message) => String(timeOf(message)),
    isFrom: (message, key) => timeOf(message) <= BigInt(key),
  });
  return {
    messages: page.items.map((message) => ({
      ...messageResource(message, all),
      ...metadataOf(call, message),
    })),
    has_more: page.nextCursor !== "",
    pin_count: 0,
    channel_actions_ts: null,
    channel_actions_count: 0,
    ...pageEnd(page.nextCursor),
  };
}

/** The first page starts with the thread's first message. */
function showReplies(call: SlackCall) {
  const { args, workspace } = call;
  const channel = reachHistory(call, required(args, "channel"));
  const ts = required(args, "ts");
  const all = workspace.messages(channel.id);
  const asked = all.find((message) => message.ts === ts);
  if (!asked) throw new SlackError("thread_not_found");
  const within = withinTimes(args);
  // For the timestamp of a reply, Slack returns only that reply.
  const thread = isReply(asked)
    ? [asked]
    : all.filter((message) => message === asked || (message.threadTs === ts && within(message)));
  const page = cutPage(thread, {
    limit: readLimit(args, { defaultLimit: 1_000, max: 1_000 }),
    cursor: args.get("cursor"),
    mark: "next_ts",
    keyOf: (message) => String(timeOf(message)),
    isFrom: (message, key) => timeOf(message) >= BigInt(key),
  });
  return {
    messages: page.items.map((message) => ({
      ...messageResource(message, all),
      ...metadataOf(call, message),
    })),
    has_more: page.nextCursor !== "",
    ...pageEnd(page.nextCursor),
  };
}

export const historyMethods: readonly SlackMethod[] = [
  {
    name: "conversations.history",
    scopes: kindScopes("history"),
    isRead: true,
    serve: showHistory,
  },
  {
    name: "conversations.replies",
    scopes: kindScopes("history"),
    isRead: true,
    serve: showReplies,
  },
];
