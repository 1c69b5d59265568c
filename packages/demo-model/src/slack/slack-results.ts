import { text } from "../mail/mail-results.ts";
import { isObject } from "../wire.ts";

/** Results of the Slack tools. They are read defensively because a result may be any JSON. */
export interface TalkMessage {
  readonly ts: string;
  readonly at: string;
  readonly who: string;
  readonly text: string;
  readonly replies: number;
}

export interface TalkPage {
  readonly messages: readonly TalkMessage[];
  /** Empty on the last page. */
  readonly nextCursor: string;
}

export interface Channel {
  readonly name: string;
  readonly about: string;
  readonly isMember: boolean;
}

export function readTalk(value: unknown): TalkPage {
  const messages = listOf(value, "messages").map((message) => ({
    ts: text(message, "ts"),
    at: text(message, "at"),
    who: text(message, "who") || "?",
    text: text(message, "text"),
    replies: typeof message["replies"] === "number" ? message["replies"] : 0,
  }));
  return {
    messages: messages.filter((message) => message.text.trim() !== ""),
    nextCursor: text(value, "nextCursor"),
  };
}

export function readChannels(value: unknown): readonly Channel[] {
  return listOf(value, "channels")
    .map((channel) => ({
      name: text(channel, "name"),
      about: text(channel, "purpose") || text(channel, "topic"),
      isMember: channel["isMember"] === true,
    }))
    .filter(({ name }) => name !== "");
}

function listOf(value: unknown, field: string) {
  const list = isObject(value) ? value[field] : undefined;
  return Array.isArray(list) ? list.filter(isObject) : [];
}
