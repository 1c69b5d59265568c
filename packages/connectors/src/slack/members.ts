import { spellOut, type JsonObject } from "@bron/protocol";
import { readFromSlack, type SlackCaller, type SlackDeps } from "./call-slack.ts";
import { findChannel } from "./channels.ts";
import { personOf, type UserResource } from "./slack-users.ts";

const pageSize = 200;
const maxPages = 25;
const maxListed = 500;

/** Lists who is in a channel, with the addresses in their profiles. */
export async function listMembers(
  deps: SlackDeps,
  caller: SlackCaller,
  wanted: string,
): Promise<JsonObject> {
  const { channelId, name } = await findChannel(deps, caller, wanted);
  const ids = await memberIds(deps, caller, channelId);
  const users = await usersWith(deps, caller, new Set(ids));
  return {
    channel: name,
    channelId,
    count: ids.length,
    more: ids.length > maxListed,
    members: ids.slice(0, maxListed).map((id) => viewOf(users.get(id) ?? { id })),
  };
}

function viewOf(user: UserResource): JsonObject {
  const { userId, name, address } = personOf(user);
  return {
    userId,
    name: spellOut(name),
    ...(address === "" ? {} : { address }),
    ...(user.is_bot === true ? { isBot: true } : {}),
  };
}

async function memberIds(
  deps: SlackDeps,
  caller: SlackCaller,
  channelId: string,
): Promise<readonly string[]> {
  const ids: string[] = [];
  let cursor = "";
  for (let page = 0; page < maxPages && ids.length <= maxListed; page++) {
    const response = await readFromSlack(deps, caller, (client) =>
      client.conversations.members({
        channel: channelId,
        limit: pageSize,
        ...(cursor === "" ? {} : { cursor }),
      }),
    );
    ids.push(...(response.members ?? []));
    cursor = response.response_metadata?.next_cursor ?? "";
    if (cursor === "") break;
  }
  return ids;
}

/** Pages of the whole workspace are fewer requests than one for each member. */
async function usersWith(
  deps: SlackDeps,
  caller: SlackCaller,
  ids: ReadonlySet<string>,
): Promise<ReadonlyMap<string, UserResource>> {
  const found = new Map<string, UserResource>();
  let cursor = "";
  for (let page = 0; page < maxPages && found.size < ids.size; page++) {
    const response = await readFromSlack(deps, caller, (client) =>
      client.users.list({ limit: pageSize, ...(cursor === "" ? {} : { cursor }) }),
    );
    for (const user of response.members ?? [])
      if (user.id !== undefined && ids.has(user.id)) found.set(user.id, user);
    cursor = response.response_metadata?.next_cursor ?? "";
    if (cursor === "") break;
  }
  return found;
}
