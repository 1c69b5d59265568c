import { BronError, nearestNames } from "@bron/core";
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
  const near = nearestNames(
    name,
    channels.map((channel) => channel.name),
  );
  const words = [
    isComplete
      ? `Bron can't see a channel named #${name}.`
      : `There is no channel #${name} among the first ${channels.length} channels of this workspace. If it exists, give its id.`,
    ...(near.length > 0 ? [`Did you mean ${near.map((name) => `#${name}`).join(" or ")}?`] : []),
    "To use a private channel, invite Bron with /invite @Bron.",
  ];
  throw new BronError("not_found", words.join(" "));
}
