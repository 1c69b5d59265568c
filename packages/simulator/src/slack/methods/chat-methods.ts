import { omitUndefined } from "@bron/protocol";
import { z } from "zod";
import type { Entry } from "../../google/state/entries.ts";
import { openingEntry } from "../opening-entry.ts";
import { messageResource } from "../resources.ts";
import { isSet, required } from "../slack-arguments.ts";
import { SlackError } from "../slack-error.ts";
import { directIdOf } from "../slack-ids.ts";
import { isVisible, type SlackCall, type SlackMethod } from "../slack-method.ts";
import { slackTeam } from "../slack-team.ts";
import { newTs } from "../slack-times.ts";
import type { SlackEntry, SlackMessage, SlackMetadata } from "../state/slack-entry.ts";
import type { SlackChannel } from "../state/workspace.ts";

/** Slack rejects longer texts. */
const maxCharacters = 40_000;

/** Posts a message and records it in one commit. */
function postMessage(call: SlackCall) {
  const { state, workspace, args, me, now } = call;
  const target = findTarget(call, required(args, "channel"));
  const [text, blocks, attachments] = [
    args.get("text") ?? args.get("markdown_text") ?? "",
    args.get("blocks"),
    args.get("attachments"),
  ];
  if (text === "" && blocks === undefined && attachments === undefined)
    throw new SlackError("no_text");
  if (text.length > maxCharacters) throw new SlackError("msg_too_long");
  const all = workspace.messages(target.channelId);
  const threadTs = args.get("thread_ts");
  if (
    threadTs !== undefined &&
    !all.some(({ ts, threadTs: root }) => ts === threadTs && root === undefined)
  )
    throw new SlackError("cannot_reply_to_message");
  const metadata = readMetadata(args.get("metadata"));
  const message: SlackMessage = {
    ts: newTs(now.getTime(), all.at(-1)?.ts),
    userId: me.id,
    text,
    ...omitUndefined({ metadata }),
    ...(threadTs === undefined
      ? {}
      : {
          threadTs,
          ...(isSet(args, "reply_broadcast") ? { subtype: "thread_broadcast" as const } : {}),
        }),
  };
  const posted = {
    call: call.call,
    time: now.toISOString(),
    channelId: target.channelId,
    channelName: target.name,
    userId: me.id,
    text,
    ...omitUndefined({ blocks, attachments, threadTs }),
    unfurls: args.get("unfurl_links") !== "false" || args.get("unfurl_media") !== "false",
    ts: message.ts,
  };
  const changes: readonly SlackEntry[] = [
    ...target.opening,
    { change: "message", channelId: target.channelId, message },
    { change: "posted", posted },
  ];
  state.commit(
    changes.map((entry): Entry => ({ type: "slack", entry })),
    call.call,
  );
  return {
    channel: target.channelId,
    ts: message.ts,
    message: messageResource(message, workspace.messages(target.channelId)),
  };
}

const metadataForm = z.strictObject({
  event_type: z.string().min(1).max(255),
  event_payload: z.record(z.string(), z.unknown()),
});

function readMetadata(text: string | undefined): SlackMetadata | undefined {
  if (text === undefined) return undefined;
  const parsed = metadataForm.safeParse(jsonOf(text));
  if (!parsed.success) throw new SlackError("invalid_metadata_format");
  return parsed.data;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

interface Target {
  readonly channelId: string;
  readonly name: string;
  readonly opening: readonly SlackEntry[];
}

/**
 * Finds a channel by id or name, or the direct conversation with a person, which is opened if
 * necessary.
 */
function findTarget(call: SlackCall, asked: string): Target {
  const { workspace, me, now } = call;
  const user = workspace.user(asked);
  if (user) {
    const channelId = directIdOf(me.id, user.id);
    return {
      channelId,
      name: `@${user.name}`,
      opening: workspace.channel(channelId) ? [] : [openingEntry(me, user, now)],
    };
  }
  const channel =
    workspace.channel(asked) ??
    workspace
      .channels()
      .find(({ name, kind }) => kind !== "im" && name === asked.replace(/^#/, ""));
  if (!channel || !isVisible(call, channel)) throw new SlackError("channel_not_found");
  if (channel.isArchived) throw new SlackError("is_archived");
  if (!channel.members.includes(me.id)) throw new SlackError("not_in_channel");
  return { channelId: channel.id, name: nameOf(call, channel), opening: [] };
}

function nameOf({ workspace, me }: SlackCall, { kind, name, members }: SlackChannel): string {
  return kind === "im"
    ? `@${workspace.user(members.find((id) => id !== me.id) ?? me.id)?.name ?? ""}`
    : name;
}

function permalink(call: SlackCall) {
  const { args, workspace } = call;
  const channel = workspace.channel(required(args, "channel"));
  if (!channel || !isVisible(call, channel)) throw new SlackError("channel_not_found");
  const ts = required(args, "message_ts");
  const message = workspace.messages(channel.id).find((one) => one.ts === ts);
  if (!message) throw new SlackError("message_not_found");
  const thread =
    message.threadTs === undefined ? "" : `?thread_ts=${message.threadTs}&cid=${channel.id}`;
  return {
    channel: channel.id,
    permalink: `${slackTeam.url}archives/${channel.id}/p${ts.replace(".", "")}${thread}`,
  };
}

export const chatMethods: readonly SlackMethod[] = [
  { name: "chat.postMessage", scopes: ["chat:write"], isRead: false, serve: postMessage },
  { name: "chat.getPermalink", scopes: [], isRead: true, serve: permalink },
];
