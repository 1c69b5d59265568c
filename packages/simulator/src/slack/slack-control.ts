import { omitUndefined } from "@bron/protocol";
import { z } from "zod";
import { badRequest } from "../google/api-error.ts";
import type { SimulatorState } from "../google/state/simulator-state.ts";
import { newTs } from "./slack-times.ts";
import { slackTokenDigest } from "./state/slack-tokens.ts";
import type { SlackChannel } from "./state/workspace.ts";

export const slackPost = z.strictObject({
  /** A channel name without "#", or an id. */
  channel: z.string(),
  /** An employee's address, or the name of an integration. */
  from: z.string(),
  /** In Slack's mrkdwn format. */
  text: z.string(),
  threadTs: z.string().optional(),
  files: z
    .array(
      z.strictObject({
        name: z.string(),
        title: z.string(),
        mimetype: z.string(),
        filetype: z.string(),
        sizeBytes: z.number(),
      }),
    )
    .optional(),
});

export type SlackPost = z.input<typeof slackPost>;

/** Actions of others in Slack while an app is connected. Throws ApiError for missing items. */
export interface SlackControl {
  /** Returns the ts of the message. */
  readonly post: (post: SlackPost) => string;
  /** Revokes one token, or all. */
  readonly revoke: (token?: string) => void;
  /**
   * Enables token rotation, which is permanent for an app. Tokens of later sign-ins expire after
   * this many seconds (12 hours at Slack).
   */
  readonly rotateTokens: (seconds: number) => void;
  /** Shares a channel, by name, with another organization. */
  readonly share: (channel: string) => void;
  /** Their tokens stay known but are refused. */
  readonly deactivate: (userId: string) => void;
}

export function createSlackControl(state: SimulatorState, now: () => Date): SlackControl {
  return {
    post: ({ channel: asked, from, text, threadTs, files }) => {
      const workspace = state.workspace();
      const channel = channelNamed(state, asked);
      const all = workspace.messages(channel.id);
      if (threadTs !== undefined && !all.some(({ ts }) => ts === threadTs))
        throw badRequest(`Message ${threadTs} not found.`);
      const user = workspace.users().find(({ email }) => email === from);
      const message = {
        ts: newTs(now().getTime(), all.at(-1)?.ts),
        text,
        ...(user
          ? { userId: user.id }
          : { userId: "", subtype: "bot_message" as const, botName: from }),
        ...omitUndefined({ threadTs, files }),
      };
      state.commit([
        { type: "slack", entry: { change: "message", channelId: channel.id, message } },
      ]);
      return message.ts;
    },
    revoke: (token) =>
      state.commit([
        {
          type: "slack",
          entry: {
            change: "token-revoked",
            ...omitUndefined({ digest: token === undefined ? undefined : slackTokenDigest(token) }),
          },
        },
      ]),
    rotateTokens: (seconds) =>
      state.commit([{ type: "slack", entry: { change: "rotation", seconds } }]),
    share: (name) =>
      state.commit([
        { type: "slack", entry: { change: "shared", channelId: channelNamed(state, name).id } },
      ]),
    deactivate: (userId) =>
      state.commit([{ type: "slack", entry: { change: "deactivated", userId } }]),
  };
}

/** A channel by name or id. */
function channelNamed(state: SimulatorState, asked: string): SlackChannel {
  const workspace = state.workspace();
  const channel =
    workspace.channel(asked) ??
    workspace.channels().find(({ name }) => name !== "" && name === asked);
  if (!channel) throw badRequest(`Channel ${asked} not found.`);
  return channel;
}
