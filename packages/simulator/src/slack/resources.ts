import { omitUndefined } from "@bron/protocol";
import { createHash } from "node:crypto";
import { appId, botId, botUserId, slackId, teamId } from "./slack-ids.ts";
import type { SlackFile, SlackMessage } from "./state/slack-entry.ts";
import type { SlackChannel, SlackUser } from "./state/workspace.ts";

type Resource = Readonly<Record<string, unknown>>;

const appName = "Bron";

export function userResource(
  user: SlackUser,
  { now, showEmail }: { readonly now: Date; readonly showEmail: boolean },
): Resource {
  const [first = "", ...rest] = user.realName.split(" ");
  const profile = {
    title: user.title ?? "",
    phone: "",
    real_name: user.realName,
    real_name_normalized: user.realName.normalize("NFD").replace(/\p{M}/gu, ""),
    display_name: user.displayName,
    display_name_normalized: user.displayName.normalize("NFD").replace(/\p{M}/gu, ""),
    status_text: "",
    status_emoji: "",
    first_name: first,
    last_name: rest.join(" "),
    team: teamId,
    ...omitUndefined({ email: showEmail ? user.email : undefined }),
    ...(user.id === botUserId ? { bot_id: botId, api_app_id: appId } : {}),
  };
  const known = {
    id: user.id,
    team_id: teamId,
    name: user.name,
    deleted: user.isDeleted,
    profile,
    is_bot: user.isBot,
    is_app_user: false,
    updated: 1_700_000_000,
  };
  // Slack returns fewer fields for deactivated users.
  if (user.isDeleted) return known;
  return {
    ...known,
    real_name: user.realName,
    tz: user.timeZone,
    tz_label: zonePart(user.timeZone, now, "long"),
    tz_offset: offsetSeconds(user.timeZone, now),
    is_admin: user.isOwner,
    is_owner: user.isOwner,
    is_primary_owner: user.isOwner,
    is_restricted: false,
    is_ultra_restricted: false,
    is_email_confirmed: !user.isBot,
  };
}

const zonePart = (timeZone: string, now: Date, style: "long" | "longOffset") =>
  new Intl.DateTimeFormat("en-US", { timeZone, timeZoneName: style })
    .formatToParts(now)
    .find(({ type }) => type === "timeZoneName")?.value ?? "";

function offsetSeconds(timeZone: string, now: Date): number {
  const [, sign, hours = "0", minutes = "0"] =
    /GMT([+-])(\d+):(\d+)/.exec(zonePart(timeZone, now, "longOffset")) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60);
}

export function channelResource(channel: SlackChannel, me: SlackUser): Resource {
  const { id, created, isArchived } = channel;
  if (channel.kind === "im") {
    return {
      id,
      created,
      is_archived: isArchived,
      is_im: true,
      is_org_shared: false,
      user: channel.members.find((member) => member !== me.id) ?? me.id,
      is_user_deleted: false,
      priority: 0,
    };
  }
  const about = (value: string) => ({
    value,
    creator: value === "" ? "" : channel.creatorId,
    last_set: value === "" ? 0 : created,
  });
  return {
    id,
    name: channel.name,
    name_normalized: channel.name,
    is_channel: true,
    is_group: false,
    is_im: false,
    is_mpim: false,
    is_private: channel.kind === "private",
    created,
    updated: created * 1000,
    creator: channel.creatorId,
    is_archived: isArchived,
    is_general: channel.isGeneral,
    is_member: channel.members.includes(me.id),
    unlinked: 0,
    is_shared: channel.isShared === true,
    is_ext_shared: channel.isShared === true,
    is_org_shared: false,
    is_pending_ext_shared: false,
    pending_shared: [],
    shared_team_ids: [teamId],
    context_team_id: teamId,
    topic: about(channel.topic),
    purpose: about(channel.purpose),
    previous_names: [],
    num_members: channel.members.length,
  };
}

/** `all` are the messages of its channel, from which its thread is read. */
export function messageResource(message: SlackMessage, all: readonly SlackMessage[]): Resource {
  const { ts, userId, text, subtype, threadTs } = message;
  const isOwn = userId === botUserId;
  return {
    type: "message",
    ...omitUndefined({ subtype }),
    ...(subtype === "bot_message"
      ? { username: message.botName ?? "", bot_id: slackId("B", message.botName ?? "") }
      : { user: userId }),
    text,
    ts,
    ...(subtype === undefined && !isOwn
      ? { client_msg_id: clientMessageId(ts, text), team: teamId }
      : {}),
    ...(isOwn
      ? {
          bot_id: botId,
          app_id: appId,
          team: teamId,
          bot_profile: {
            id: botId,
            app_id: appId,
            name: appName,
            deleted: false,
            team_id: teamId,
            updated: 1_700_000_000,
          },
        }
      : {}),
    ...omitUndefined({
      edited: message.editedTs === undefined ? undefined : { user: userId, ts: message.editedTs },
      reactions:
        message.reactions === undefined
          ? undefined
          : message.reactions.map(({ name, userIds }) => ({
              name,
              users: userIds,
              count: userIds.length,
            })),
    }),
    ...(message.files === undefined
      ? {}
      : { files: message.files.map((file) => fileResource(file, message)), upload: false }),
    ...(threadTs === undefined
      ? rootFacts(ts, all)
      : {
          thread_ts: threadTs,
          parent_user_id: all.find((one) => one.ts === threadTs)?.userId ?? "",
        }),
  };
}

function rootFacts(ts: string, all: readonly SlackMessage[]): Resource {
  const responses = all.filter(({ threadTs }) => threadTs === ts);
  const latest = responses.at(-1);
  if (!latest) return {};
  const users = [...new Set(responses.map(({ userId }) => userId))];
  return {
    thread_ts: ts,
    reply_count: responses.length,
    reply_users_count: users.length,
    latest_reply: latest.ts,
    reply_users: users.slice(0, 5),
    is_locked: false,
    subscribed: false,
  };
}

function fileResource(
  { name, title, mimetype, filetype, sizeBytes }: SlackFile,
  { ts, userId }: SlackMessage,
): Resource {
  return {
    id: slackId("F", `${ts}-${name}`),
    created: Math.floor(Number(ts)),
    timestamp: Math.floor(Number(ts)),
    name,
    title,
    mimetype,
    filetype,
    pretty_type: filetype.toUpperCase(),
    user: userId,
    size: sizeBytes,
    mode: "hosted",
    is_external: false,
    is_public: true,
  };
}

function clientMessageId(ts: string, text: string): string {
  const hex = createHash("sha256").update(`${ts} ${text}`).digest("hex");
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `a${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join("-");
}
