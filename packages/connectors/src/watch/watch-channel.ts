import type { PollWatch } from "@bron/core";
import { readFromSlack, type SlackDeps } from "../slack/call-slack.ts";
import { findChannel } from "../slack/channels.ts";
import type { UserNames } from "../slack/names.ts";
import { readMessages } from "../slack/read-channel.ts";

const maxRead = 100;
/** Slack's own changes of a channel: someone joined, the topic changed. */
const notices = /^(?:channel|group)_/u;

/** Finds messages that were posted in a channel since the last poll. */
export function watchChannel(deps: SlackDeps, names: UserNames): PollWatch {
  return async ({ query, cursor, ...caller }) => {
    const { channelId, name } = await findChannel(deps, caller, query);
    const { messages } = await readMessages(deps, names, {
      caller,
      channel: channelId,
      limit: cursor === null ? 1 : maxRead,
      ...(cursor === null ? {} : { oldest: cursor }),
    });
    const own = await ownIds(deps, caller);
    const found = messages.filter(
      ({ writerIds, kind }) =>
        // What Bron posts itself is not something new.
        !writerIds.some((id) => own.has(id)) && !notices.test(kind ?? ""),
    );
    return {
      cursor: messages.at(-1)?.ts ?? cursor ?? "0",
      matches: found.map(
        ({ who, at, text, ts }) =>
          `A new message in #${name}.\nFrom: ${who}\nAt: ${at}\nts: ${ts}\n${text}`,
      ),
    };
  };
}

async function ownIds(
  deps: SlackDeps,
  caller: Parameters<typeof readFromSlack>[1],
): Promise<ReadonlySet<string>> {
  const about = await readFromSlack(deps, caller, (client) => client.auth.test());
  return new Set([about.user_id, about.bot_id].filter((id) => id !== undefined));
}
