import { directIdOf } from "./slack-ids.ts";
import type { SlackEntry } from "./state/slack-entry.ts";
import type { SlackUser } from "./state/workspace.ts";

/** The change that opens the direct conversation of two users. */
export function openingEntry(me: SlackUser, user: SlackUser, now: Date): SlackEntry {
  return {
    change: "opened",
    channelId: directIdOf(me.id, user.id),
    members: [me.id, user.id],
    created: Math.floor(now.getTime() / 1000),
  };
}
