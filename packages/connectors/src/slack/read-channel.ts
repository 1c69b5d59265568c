import type { ToolContext } from "@bron/core";
import { omitUndefined, spellOut, type JsonObject } from "@bron/protocol";
import type { z } from "zod";
import { readFromSlack, type SlackCaller, type SlackDeps } from "./call-slack.ts";
import { findChannel } from "./channels.ts";
import { mentionedUsers, readableText } from "./message-text.ts";
import type { UserNames } from "./names.ts";
import type { readInput } from "./slack-input.ts";
import { slackTime } from "./slack-time.ts";
import { writtenText } from "./written-text.ts";

type ReadInput = z.output<typeof readInput>;

/** The fields that Bron uses. Both API methods return them. */
interface SlackMessage {
  readonly ts?: string;
  readonly user?: string;
  readonly username?: string;
  readonly bot_id?: string;
  readonly app_id?: string;
  readonly bot_profile?: { readonly name?: string };
  readonly text?: string;
  readonly blocks?: unknown;
  readonly attachments?: unknown;
  readonly thread_ts?: string;
  readonly reply_count?: number;
  readonly subtype?: string;
  readonly edited?: unknown;
  readonly files?: readonly {
    readonly name?: string | null;
    readonly mimetype?: string;
    readonly size?: number;
  }[];
}

const maxTextCharacters = 8_000;

/** Reads messages with names, oldest first. With a thread ts, reads the replies of that thread. */
export async function readChannel(
  deps: SlackDeps,
  names: UserNames,
  input: ReadInput,
  context: ToolContext,
): Promise<JsonObject> {
  const { channelId, name } = await findChannel(deps, context, input.channel);
  const bounds = omitUndefined({
    oldest: input.since === undefined ? undefined : slackTime("since", input.since),
    latest: input.until === undefined ? undefined : slackTime("until", input.until),
  });
  const page = {
    channel: channelId,
    limit: input.limit,
    ...bounds,
    ...omitUndefined({ cursor: input.cursor }),
  };
  const { threadTs } = input;
  const { messages, cursor } = await readMessages(deps, names, {
    caller: context,
    threadTs,
    ...page,
  });
  const shown = messages.map(({ writerIds: _, ...message }) => message);
  context.showCard("SlackMessagesCard", {
    channel: `#${name}`,
    messages: shown.map(({ who, at, text, replies }) => ({ who, at, text, replies })),
  });
  return {
    channel: name,
    channelId,
    ...omitUndefined({ threadTs }),
    messages: shown,
    ...(cursor === "" ? { more: false } : { more: true, nextCursor: cursor }),
  };
}

interface HistoryPage {
  readonly caller: SlackCaller;
  /** Reads the replies of this thread. */
  readonly threadTs?: string | undefined;
  readonly channel: string;
  readonly limit: number;
  readonly oldest?: string;
  readonly latest?: string;
  readonly cursor?: string;
}

/** Reads one page of a channel or a thread, oldest first, with the names of the writers. */
export async function readMessages(
  deps: SlackDeps,
  names: UserNames,
  { caller, threadTs, ...page }: HistoryPage,
) {
  const response = await readFromSlack(deps, caller, (client) =>
    threadTs === undefined
      ? client.conversations.history(page)
      : client.conversations.replies({ ...page, ts: threadTs }),
  );
  const messages: readonly SlackMessage[] = response.messages ?? [];
  // Slack returns a channel newest first and a thread oldest first.
  const inOrder = threadTs === undefined ? messages.toReversed() : messages;
  const people = distinct(
    await names.resolve(
      deps,
      caller,
      messages.flatMap((message) => [
        ...(message.user === undefined ? [] : [message.user]),
        ...mentionedUsers(writtenText(message)),
      ]),
    ),
  );
  return {
    messages: inOrder.map((message) => ({
      ...toView(message, people),
      /** The person and the app. */
      writerIds: [message.user, message.bot_id].filter((id) => id !== undefined),
    })),
    cursor: response.response_metadata?.next_cursor ?? "",
  };
}

function toView(message: SlackMessage, people: ReadonlyMap<string, string>) {
  const text = readableText(writtenText(message), {
    user: (id) => people.get(id) ?? id,
    channel: (id) => id,
  });
  const files = (message.files ?? []).map(({ name, mimetype, size }) => ({
    name: name ?? "",
    mediaType: mimetype ?? "",
    sizeBytes: size ?? 0,
  }));
  return {
    ts: message.ts ?? "",
    at: new Date(Number(message.ts ?? 0) * 1_000).toISOString(),
    who: writerOf(message, people),
    text:
      text.length > maxTextCharacters
        ? `${text.slice(0, maxTextCharacters)}… (truncated: ${text.length} characters in total)`
        : text,
    replies: message.reply_count ?? 0,
    ...omitUndefined({
      inThread: message.thread_ts === message.ts ? undefined : message.thread_ts,
      kind: message.subtype,
      edited: message.edited === undefined ? undefined : true,
    }),
    ...(files.length === 0 ? {} : { files }),
  };
}

/** Labels apps, because an app can post under any name, including a colleague's. */
function writerOf(
  { user = "", bot_id: botId, app_id: appId, bot_profile: app, username, subtype }: SlackMessage,
  people: ReadonlyMap<string, string>,
): string {
  const name = spellOut(people.get(user) ?? app?.name ?? username ?? "unknown");
  return botId !== undefined || appId !== undefined || subtype === "bot_message"
    ? `${name} (app)`
    : name;
}

/** Adds the id to names that several people share. */
function distinct(people: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of people.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    [...people].map(([id, name]) => [id, (counts.get(name) ?? 0) > 1 ? `${name} (${id})` : name]),
  );
}
