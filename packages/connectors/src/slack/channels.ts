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
};

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
    for (const {
      id,
      name,
      topic,
      purpose,
      num_members: members,
      is_member: isMember,
      is_private: isPrivate,
      is_archived: isArchived,
    } of response.channels ?? []) {
      channels.push({
        channelId: id ?? "",
        name: name ?? "",
        topic: topic?.value ?? "",
        purpose: purpose?.value ?? "",
        members: members ?? 0,
        isMember: isMember === true,
        isPrivate: isPrivate === true,
        isArchived: isArchived === true,
      });
    }
    cursor = response.response_metadata?.next_cursor ?? "";
    if (cursor === "") return { channels, isComplete: true };
  }
  return { channels, isComplete: false };
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
): Promise<Pick<ChannelView, "channelId" | "name">> {
  if (idPattern.test(wanted)) {
    const { channel } = await readFromSlack(deps, caller, (client) =>
      client.conversations.info({ channel: wanted }),
    );
    return { channelId: wanted, name: channel?.name ?? wanted };
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
