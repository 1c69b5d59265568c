import type { Workspace } from "../slack/state/workspace.ts";
import { slackText } from "./slack-text.ts";

export interface ChannelView {
  readonly name: string;
  readonly isPrivate: boolean;
  readonly messages: readonly {
    readonly who: string;
    readonly at: string;
    readonly text: string;
    readonly isReply: boolean;
  }[];
}

const maxMessages = 40;

/**
 * The channels with their latest messages, oldest first. Direct conversations are named after the
 * other person.
 */
export function viewSlack(workspace: Workspace): ChannelView[] {
  const nameOf = (id: string) => workspace.user(id)?.displayName || workspace.user(id)?.realName;
  const names = { user: nameOf, channel: (id: string) => workspace.channel(id)?.name };
  return workspace
    .channels()
    .filter(({ id, kind }) => kind !== "im" || workspace.messages(id).length > 0)
    .map(({ id, name, kind, members }) => ({
      name: kind === "im" ? `@${nameOf(members[1] ?? "") ?? ""}` : name,
      isPrivate: kind !== "public",
      messages: workspace
        .messages(id)
        .slice(-maxMessages)
        .map(({ ts, userId, botName, text, threadTs }) => ({
          who: botName === undefined ? (nameOf(userId) ?? userId) : `${botName} (app)`,
          at: new Date(Number(ts) * 1_000).toISOString(),
          text: slackText(text, names),
          isReply: threadTs !== undefined && threadTs !== ts,
        })),
    }));
}
