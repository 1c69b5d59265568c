import { actionFailure, nearestNames } from "@bron/core";
import { readFromSlack, type SlackCaller, type SlackDeps } from "./call-slack.ts";

/** Plain data, because it becomes a tool's output. */
export type ChannelView = {
  channelId: string;
  name: string;
  topic: string;
  purpose: string;
  members: number;
  isMember: boolean;
  isPrivate: boolean;
  isArchived: boolean;
  /** People of another organization can read it. */
  isShared: boolean;
};

/** The fields of Slack's channels that Bron uses. */
interface ChannelResource {
  readonly id?: string;
  readonly name?: string;
  readonly topic?: { readonly value?: string };
  readonly purpose?: { readonly value?: string };
  readonly num_members?: number;
  readonly is_member?: boolean;
  readonly is_private?: boolean;
  readonly is_archived?: boolean;
  readonly is_shared?: boolean;
  readonly is_ext_shared?: boolean;
  readonly is_pending_ext_shared?: boolean;
}

const pageSize = 200;
const maxPages = 25;

/** Lists all channels that Bron can see. `isComplete` is false if there are more than it reads. */
export async function listChannels(
  deps: SlackDeps,
  caller: SlackCaller,
  { archived }: { readonly archived: boolean },
): Promise<{ channels: ChannelView[]; isComplete: boolean }> {
  const channels: ChannelView[] = [];
  let cursor = "";
  for (let page = 0; page < maxPages; page++) {
    const response = await readFromSlack(deps, caller, (client) =>
      client.conversations.list({
        types: "public_channel,private_channel",
        exclude_archived: !archived,
        limit: pageSize,
        ...(cursor === "" ? {} : { cursor }),
      }),
    );
    channels.push(...(response.channels ?? []).map(viewOf));
    cursor = response.response_metadata?.next_cursor ?? "";
    if (cursor === "") return { channels, isComplete: true };
  }
  return { channels, isComplete: false };
}

function viewOf(channel: ChannelResource): ChannelView {
  const {
    is_shared: isShared,
    is_ext_shared: isOutside,
    is_pending_ext_shared: isPending,
  } = channel;
  return {
    channelId: channel.id ?? "",
    name: channel.name ?? "",
    topic: channel.topic?.value ?? "",
    purpose: channel.purpose?.value ?? "",
    members: channel.num_members ?? 0,
    isMember: channel.is_member === true,
    isPrivate: channel.is_private === true,
    isArchived: channel.is_archived === true,
    isShared: isShared === true || isOutside === true || isPending === true,
  };
}

const idPattern = /^[CG][A-Z0-9]{6,}$/;

/**
 * Finds a channel by id, or by name with or without "#". Throws not_found and suggests the nearest
 * names.
 */
export async function findChannel(
  deps: SlackDeps,
  caller: SlackCaller,
  wanted: string,
): Promise<ChannelView> {
  if (idPattern.test(wanted)) {
    const { channel } = await readFromSlack(deps, caller, (client) =>
      client.conversations.info({ channel: wanted }),
    );
    return viewOf({ name: wanted, ...channel, id: wanted });
  }
  const name = wanted.trim().replace(/^#/, "").toLowerCase();
  const { channels, isComplete } = await listChannels(deps, caller, { archived: true });
  const found = channels.find((channel) => channel.name === name);
  if (found) return found;
  throw actionFailure("not_found", {
    code: "channel_missing",
    channel: name,
    ...(isComplete ? {} : { searched: channels.length }),
    similar: nearestNames(
      name,
      channels.map((channel) => channel.name),
    ),
  });
}
