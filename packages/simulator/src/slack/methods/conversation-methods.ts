import { omitUndefined } from "@bron/protocol";
import { cutPage } from "../cut-page.ts";
import { channelResource } from "../resources.ts";
import { isSet, readLimit, required } from "../slack-arguments.ts";
import { invalidArguments, missingScope, SlackError } from "../slack-error.ts";
import { directIdOf } from "../slack-ids.ts";
import {
  isVisible,
  kindScopes,
  pageEnd,
  reachChannel,
  type SlackCall,
  type SlackMethod,
} from "../slack-method.ts";
import { openingEntry } from "../opening-entry.ts";

const conversationTypes: Readonly<
  Record<string, { readonly kind: string; readonly scope: string }>
> = {
  public_channel: { kind: "public", scope: "channels:read" },
  private_channel: { kind: "private", scope: "groups:read" },
  im: { kind: "im", scope: "im:read" },
  mpim: { kind: "mpim", scope: "mpim:read" },
};

function listConversations(call: SlackCall) {
  const { args, workspace, token, me } = call;
  const types = (args.get("types") ?? "public_channel").split(",").map((type) => type.trim());
  const wanted = types.map((type) =>
    Object.hasOwn(conversationTypes, type) ? conversationTypes[type] : undefined,
  );
  if (wanted.includes(undefined)) throw new SlackError("invalid_types");
  const missing = wanted.flatMap((one) =>
    one && !token.scopes.includes(one.scope) ? [one.scope] : [],
  );
  if (missing.length > 0) throw missingScope(missing, token.scopes);
  const channels = workspace
    .channels()
    .filter(
      (channel) =>
        wanted.some((one) => one?.kind === channel.kind) &&
        isVisible(call, channel) &&
        !(isSet(args, "exclude_archived") && channel.isArchived),
    )
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  const page = cutPage(channels, {
    limit: readLimit(args, { defaultLimit: 100, max: 1_000 }),
    cursor: args.get("cursor"),
    mark: "team",
    keyOf: ({ id }) => id,
    isFrom: ({ id }, key) => id >= key,
  });
  return {
    channels: page.items.map((channel) => channelResource(channel, me)),
    ...pageEnd(page.nextCursor),
  };
}

function showConversation(call: SlackCall) {
  const channel = reachChannel(call, required(call.args, "channel"), "read");
  const { num_members: count, ...resource } = channelResource(channel, call.me);
  return {
    channel: {
      ...resource,
      ...omitUndefined({
        num_members: isSet(call.args, "include_num_members") ? count : undefined,
      }),
    },
  };
}

function listMembers(call: SlackCall) {
  const channel = reachChannel(call, required(call.args, "channel"), "read");
  const page = cutPage([...channel.members].sort(), {
    limit: readLimit(call.args, { defaultLimit: 100, max: 1_000 }),
    cursor: call.args.get("cursor"),
    mark: "user",
    keyOf: (id) => id,
    isFrom: (id, key) => id >= key,
  });
  return { members: page.items, ...pageEnd(page.nextCursor) };
}

function joinConversation({ state, workspace, args, me, call }: SlackCall) {
  const channel = workspace.channel(required(args, "channel"));
  if (!channel || (channel.kind === "private" && !channel.members.includes(me.id)))
    throw new SlackError("channel_not_found");
  if (channel.kind !== "public") throw new SlackError("method_not_supported_for_channel_type");
  if (channel.isArchived) throw new SlackError("is_archived");
  const isMember = channel.members.includes(me.id);
  if (!isMember)
    state.commit(
      [{ type: "slack", entry: { change: "joined", channelId: channel.id, userId: me.id } }],
      call,
    );
  const joined = workspace.channel(channel.id);
  if (!joined) throw invalidArguments("no such channel");
  return {
    channel: channelResource(joined, me),
    ...(isMember
      ? { warning: "already_in_channel", response_metadata: { warnings: ["already_in_channel"] } }
      : {}),
  };
}

/** Opens the direct conversation with one person. People see it only once it has a message. */
function openConversation({ state, workspace, args, me, now, call }: SlackCall) {
  const user = workspace.user(required(args, "users"));
  if (!user) throw new SlackError("user_not_found");
  if (user.isDeleted) throw new SlackError("user_disabled");
  if (user.isBot) throw new SlackError("cannot_dm_bot");
  const channelId = directIdOf(me.id, user.id);
  const isOpen = workspace.channel(channelId) !== undefined;
  if (!isOpen) state.commit([{ type: "slack", entry: openingEntry(me, user, now) }], call);
  return {
    ...(isOpen ? { no_op: true, already_open: true } : {}),
    channel: { id: channelId },
  };
}

export const conversationMethods: readonly SlackMethod[] = [
  {
    name: "conversations.list",
    scopes: kindScopes("read"),
    isRead: true,
    serve: listConversations,
  },
  { name: "conversations.info", scopes: kindScopes("read"), isRead: true, serve: showConversation },
  { name: "conversations.members", scopes: kindScopes("read"), isRead: true, serve: listMembers },
  { name: "conversations.open", scopes: ["im:write"], isRead: false, serve: openConversation },
  { name: "conversations.join", scopes: ["channels:join"], isRead: false, serve: joinConversation },
];
