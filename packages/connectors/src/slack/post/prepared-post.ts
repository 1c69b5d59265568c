import { BronError, actionFailure, type ToolContext } from "@bron/core";
import { spellOut, visible, type JsonObject } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { isAddress } from "../../addresses.ts";
import { checkText } from "../../one-line.ts";
import type { SlackDeps } from "../call-slack.ts";
import { findChannel, type ChannelView } from "../channels.ts";
import { mentionedUsers, readableText } from "../message-text.ts";
import { needsSlack, slackName } from "../slack-error.ts";
import { postScopes } from "../slack-scopes.ts";
import { findUser, isUserId, type SlackPerson } from "../slack-users.ts";
import { broadcastsIn } from "./broadcasts.ts";
import { plainForm } from "./plain-form.ts";

/** A message in its final form. All of it is digested and approved. */
export interface PreparedPost extends JsonObject {
  /** The workspace that it is posted in, as the owner knows it. */
  workspace: string;
  /** Where it goes, as a person or the model gave it: a channel, an address or an id. */
  to: string;
  /** One of these two is set. */
  channel: { channelId: string; name: string; isShared: boolean } | null;
  person: SlackPerson | null;
  /** In Slack's markup. */
  text: string;
  /** The same as people read it: names for ids, and URLs beside their labels. */
  shown: string;
  /** Everyone whom the text notifies by name. */
  mentioned: SlackPerson[];
  /** Mentions of whole groups, such as @here. */
  broadcasts: string[];
  /** An id in the message's metadata, by which it is found again. It reveals nothing. */
  mark: string;
  /** ISO 8601. The message cannot be older. */
  preparedAt: string;
}

/** Slack recommends no longer messages, and truncates much longer ones. */
const maxTextCharacters = 4_000;
const maxMentions = 20;

export const postFields = {
  to: z
    .string()
    .trim()
    .min(1)
    .max(254)
    .describe(
      "A channel by its name, with or without #, or id. For a direct message, one person by email address or user id",
    ),
  text: z
    .string()
    .min(1)
    .max(maxTextCharacters)
    .describe(
      "The message. Write <@USERID> to notify a person, and <https://example.com|words> for a link",
    ),
};

export interface PostRequest {
  readonly to: string;
  readonly text: string;
}

/** Reads where the message goes and whom it notifies. Throws if it cannot be posted there. */
export async function preparePost(
  deps: SlackDeps,
  { to, text: written }: PostRequest,
  context: ToolContext,
): Promise<PreparedPost> {
  const text = written.replaceAll(/\r\n?/g, "\n").trim();
  checkText("The message", text);
  if (text === "") throw new BronError("invalid_arguments", "text: there is nothing to post.");
  const mentionedIds = [...new Set([text, plainForm(text)].flatMap(mentionedUsers))];
  if (mentionedIds.length > maxMentions)
    throw new BronError(
      "invalid_arguments",
      `Too many people are mentioned (${mentionedIds.length}; the limit is ${maxMentions}).`,
    );
  const workspace = await workspaceFor(deps, context.ownerId);
  const person = await findPerson(deps, context, to);
  const channel = person ? null : openTo(await findChannel(deps, context, to));
  const mentioned = await Promise.all(
    mentionedIds.map((userId) => findUser(deps, context, { userId })),
  );
  return {
    workspace,
    to,
    channel,
    person,
    text,
    shown: shownText(text, mentioned),
    mentioned,
    broadcasts: broadcastsIn(text),
    mark: randomUUID(),
    preparedAt: new Date(deps.clock.now()).toISOString(),
  };
}

/** Throws missing_credentials if the workspace was connected without the scopes for posting. */
async function workspaceFor({ accounts }: SlackDeps, ownerId: string): Promise<string> {
  const status = await accounts.status(ownerId);
  if (!status) throw needsSlack({ code: "not_connected", service: slackName });
  const missing = postScopes.filter(({ scope }) => !status.scopes.includes(scope));
  if (missing.length > 0)
    throw needsSlack({
      code: "permissions_missing",
      service: slackName,
      account: status.account,
      missing: missing.map(({ scope, why }) => `${why} (${scope})`),
    });
  return status.account;
}

async function findPerson(
  deps: SlackDeps,
  context: ToolContext,
  to: string,
): Promise<SlackPerson | null> {
  if (isUserId(to)) return await findUser(deps, context, { userId: to });
  return isAddress(to) ? await findUser(deps, context, { address: to }) : null;
}

function openTo({ channelId, name, isShared, isMember, isArchived }: ChannelView) {
  if (isArchived) throw new BronError("invalid_arguments", `The channel #${name} is archived.`);
  if (!isMember)
    throw actionFailure("not_found", { code: "channel_hidden", message: "not_in_channel" });
  return { channelId, name, isShared };
}

/**
 * The text that the owner reads before approving. It shows everything that will be posted, with
 * addresses beside the names that people chose.
 */
export function previewOf(post: PreparedPost): string {
  const { channel, person, mentioned, broadcasts, workspace } = post;
  const notified = [...mentioned.map(describePerson), ...broadcasts];
  const lines = [
    `Slack: ${workspace}`,
    `To: ${describeTarget(post)}`,
    ...(channel?.isShared === true ? ["Shared with another organization"] : []),
    ...(person ? ["As a direct message"] : []),
    ...(notified.length > 0 ? [`Notifies: ${notified.join(", ")}`] : []),
  ];
  return `${lines.map(spellOut).join("\n")}\n\n${visible(post.shown)}`;
}

function shownText(text: string, mentioned: readonly SlackPerson[]): string {
  const names = new Map(mentioned.map(({ userId, name }) => [userId, name]));
  return readableText(text, { user: (id) => names.get(id) ?? id, channel: (id) => id });
}

export function describeTarget({ channel, person, to }: PreparedPost): string {
  if (channel) return `#${channel.name}`;
  return person ? describePerson(person) : to;
}

function describePerson({ name, address, userId }: SlackPerson): string {
  return `${name} <${address || userId}>`;
}
