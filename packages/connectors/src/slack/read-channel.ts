import type { ToolContext } from "@bron/core";
import { omitUndefined, spellOut, type JsonObject } from "@bron/protocol";
import type { z } from "zod";
import { readFromSlack, type SlackDeps } from "./call-slack.ts";
import { findChannel } from "./channels.ts";
import { mentionedUsers, readableText } from "./message-text.ts";
import type { UserNames } from "./names.ts";
import type { readInput } from "./slack-input.ts";
import { slackTime } from "./slack-time.ts";
import { writtenText } from "./written-text.ts";

type Wish = z.output<typeof readInput>;

/** What is used of a message; both methods give it. */
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

/** Messages with names, oldest first; replies of a conversation if its ts is given. */
export async function readChannel(
  deps: SlackDeps,
  names: UserNames,
  wish: Wish,
  context: ToolContext,
): Promise<JsonObject> {
  const { channelId, name } = await findChannel(deps, context, wish.channel);
  const bounds = omitUndefined({
    oldest: wish.since === undefined ? undefined : slackTime("since", wish.since),
    latest: wish.until === undefined ? undefined : slackTime("until", wish.until),
  });
  const page = {
    channel: channelId,
    limit: wish.limit,
    ...bounds,
    ...omitUndefined({ cursor: wish.cursor }),
  };
  const { threadTs } = wish;
  const answer = await readFromSlack(deps, context, (client) =>
    threadTs === undefined
      ? client.conversations.history(page)
      : client.conversations.replies({ ...page, ts: threadTs }),
  );
  const messages: readonly SlackMessage[] = answer.messages ?? [];
  // A channel comes newest first, a conversation oldest first.
  const inOrder = threadTs === undefined ? messages.toReversed() : messages;
  const people = distinct(
    await names.learn(
      deps,
      context,
      messages.flatMap((message) => [
        ...(message.user === undefined ? [] : [message.user]),
        ...mentionedUsers(writtenText(message)),
      ]),
    ),
  );
  const shown = inOrder.map((message) => toView(message, people));
  context.showCard("SlackMessagesCard", {
    channel: `#${name}`,
    messages: shown.map(({ who, at, text, replies }) => ({ who, at, text, replies })),
  });
  const cursor = answer.response_metadata?.next_cursor ?? "";
  return {
    channel: name,
    channelId,
    ...omitUndefined({ threadTs }),
    messages: shown,
    ...(cursor === "" ? { more: false } : { more: true, nextCursor: cursor }),
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
        ? `${text.slice(0, maxTextCharacters)}… (cut: ${text.length} characters in all)`
        : text,
    replies: message.reply_count ?? 0,
    ...(message.thread_ts !== undefined && message.thread_ts !== message.ts
      ? { inThread: message.thread_ts }
      : {}),
    ...omitUndefined({
      kind: message.subtype,
      edited: message.edited === undefined ? undefined : true,
    }),
    ...(files.length === 0 ? {} : { files }),
  };
}

/** An app writes under any name that it likes, also under that of a colleague. */
function writerOf(
  { user = "", bot_id: botId, app_id: appId, bot_profile: app, username, subtype }: SlackMessage,
  people: ReadonlyMap<string, string>,
): string {
  const name = spellOut(people.get(user) ?? app?.name ?? username ?? "somebody");
  return botId !== undefined || appId !== undefined || subtype === "bot_message"
    ? `${name} (app)`
    : name;
}

/** Two people of one name are told apart by their ids. */
function distinct(people: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const counts = new Map<string, number>();
  for (const name of people.values()) counts.set(name, (counts.get(name) ?? 0) + 1);
  return new Map(
    [...people].map(([id, name]) => [id, (counts.get(name) ?? 0) > 1 ? `${name} (${id})` : name]),
  );
}
