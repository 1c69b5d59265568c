import type { SimulatorState } from "../google/state/simulator-state.ts";
import type { SlackArguments } from "./slack-arguments.ts";
import { missingScope, SlackError } from "./slack-error.ts";
import type { SlackToken } from "./state/slack-tokens.ts";
import type { SlackChannel, SlackUser, Workspace } from "./state/workspace.ts";

export interface SlackCall {
  readonly state: SimulatorState;
  readonly workspace: Workspace;
  readonly args: SlackArguments;
  /** As it was sent. */
  readonly secret: string;
  readonly token: SlackToken;
  /** Whose token it is: the bot, or a person. */
  readonly me: SlackUser;
  readonly now: Date;
  /** Its number in the record. */
  readonly call: number;
}

export interface SlackMethod {
  readonly name: string;
  /** One of them is enough to be heard; with none any token does. */
  readonly scopes: readonly string[];
  readonly isRead: boolean;
  /** What the answer has besides `ok`. Throws SlackError. */
  readonly serve: (call: SlackCall) => Readonly<Record<string, unknown>>;
}

const scopePrefixes: Readonly<Record<SlackChannel["kind"], string>> = {
  public: "channels",
  private: "groups",
  im: "im",
};

export const kindScopes = (right: "read" | "history") =>
  ["channels", "groups", "mpim", "im"].map((prefix) => `${prefix}:${right}`);

export const isVisible = ({ me }: Pick<SlackCall, "me">, channel: SlackChannel) =>
  channel.kind === "public" || channel.members.includes(me.id);

/** A private channel that one is not in does not exist. */
export function reachChannel(call: SlackCall, id: string, right: "read" | "history"): SlackChannel {
  const channel = call.workspace.channel(id);
  if (!channel || !isVisible(call, channel)) throw new SlackError("channel_not_found");
  const needed = `${scopePrefixes[channel.kind]}:${right}`;
  if (!call.token.scopes.includes(needed)) throw missingScope([needed], call.token.scopes);
  return channel;
}

export function reachHistory(call: SlackCall, id: string): SlackChannel {
  const channel = reachChannel(call, id, "history");
  if (!channel.members.includes(call.me.id)) throw new SlackError("not_in_channel");
  return channel;
}

export const pageEnd = (nextCursor: string) => ({ response_metadata: { next_cursor: nextCursor } });
