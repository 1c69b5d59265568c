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

/** The channels with their latest messages, oldest first. */
export function viewSlack(workspace: Workspace): ChannelView[] {
  const nameOf = (id: string) => workspace.user(id)?.displayName || workspace.user(id)?.realName;
  const names = { user: nameOf, channel: (id: string) => workspace.channel(id)?.name };
  return workspace
    .channels()
    .filter(({ kind }) => kind !== "im")
    .map(({ id, name, kind }) => ({
      name,
      isPrivate: kind === "private",
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
