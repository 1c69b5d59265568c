import type { SimulatorState } from "../google/state/simulator-state.ts";
import type { SlackArguments } from "./slack-arguments.ts";
import { missingScope, SlackError } from "./slack-error.ts";
import type { SlackToken } from "./state/slack-tokens.ts";
import type { SlackChannel, SlackUser, Workspace } from "./state/workspace.ts";

export interface SlackCall {
  readonly state: SimulatorState;
  readonly workspace: Workspace;
  readonly args: SlackArguments;
  /** The token as sent. */
  readonly secret: string;
  readonly token: SlackToken;
  /** The user of the token: the bot or a person. */
  readonly me: SlackUser;
  readonly now: Date;
  /** The number of the call in the record. */
  readonly call: number;
}

export interface SlackMethod {
  readonly name: string;
  /** Any one of these scopes is enough. Without scopes any token works. */
  readonly scopes: readonly string[];
  readonly isRead: boolean;
  /** Returns the response fields besides `ok`. Throws SlackError. */
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

/** A private channel does not exist for non-members. */
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
