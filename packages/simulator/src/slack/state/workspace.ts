import { createSlackTokens, type SlackTokens } from "./slack-tokens.ts";
import type { SlackEntry, SlackMessage } from "./slack-entry.ts";

export interface SlackUser {
  readonly id: string;
  /** The short name used in mentions. */
  readonly name: string;
  readonly realName: string;
  readonly displayName: string;
  readonly email?: string;
  readonly title?: string;
  readonly timeZone: string;
  readonly isBot: boolean;
  readonly isOwner: boolean;
  readonly isDeleted: boolean;
}

export interface SlackChannel {
  readonly id: string;
  readonly name: string;
  readonly kind: "public" | "private" | "im";
  readonly creatorId: string;
  /** Seconds since 1970. */
  readonly created: number;
  readonly topic: string;
  readonly purpose: string;
  readonly isArchived: boolean;
  readonly isGeneral: boolean;
  /** Another organization shares the channel. */
  readonly isShared?: boolean;
  readonly members: readonly string[];
}

/** The seeded state. */
export interface SeededWorkspace {
  readonly users: readonly SlackUser[];
  readonly channels: readonly SlackChannel[];
  /** Keyed by channel id, oldest first. */
  readonly messages: ReadonlyMap<string, readonly SlackMessage[]>;
}

/** One team's Slack. Only `apply` changes it. */
export interface Workspace {
  readonly users: () => readonly SlackUser[];
  readonly user: (id: string) => SlackUser | undefined;
  readonly channels: () => readonly SlackChannel[];
  readonly channel: (id: string) => SlackChannel | undefined;
  /** Oldest first, including replies in threads. */
  readonly messages: (channelId: string) => readonly SlackMessage[];
  readonly tokens: SlackTokens;
  readonly apply: (entry: SlackEntry) => void;
}

export function createWorkspace(seeded: SeededWorkspace): Workspace {
  const users = new Map(seeded.users.map((user) => [user.id, user]));
  const channels = new Map(seeded.channels.map((channel) => [channel.id, channel]));
  const messages = new Map(seeded.messages);
  const tokens = createSlackTokens();

  function apply(entry: SlackEntry): void {
    switch (entry.change) {
      case "token":
      case "token-revoked":
      case "refresh-token-used":
      case "rotation":
        return tokens.apply(entry);
      case "deactivated": {
        const user = users.get(entry.userId);
        if (user) users.set(user.id, { ...user, isDeleted: true });
        return;
      }
      case "joined": {
        const channel = channels.get(entry.channelId);
        if (channel && !channel.members.includes(entry.userId))
          channels.set(channel.id, { ...channel, members: [...channel.members, entry.userId] });
        return;
      }
      case "opened":
        channels.set(entry.channelId, {
          id: entry.channelId,
          name: "",
          kind: "im",
          creatorId: entry.members[0],
          created: entry.created,
          topic: "",
          purpose: "",
          isArchived: false,
          isGeneral: false,
          members: entry.members,
        });
        return;
      case "shared": {
        const channel = channels.get(entry.channelId);
        if (channel) channels.set(channel.id, { ...channel, isShared: true });
        return;
      }
      case "message":
        messages.set(entry.channelId, [...(messages.get(entry.channelId) ?? []), entry.message]);
        return;
      case "posted":
        return;
      default:
        entry satisfies never;
    }
  }

  return {
    users: () => [...users.values()],
    user: (id) => users.get(id),
    channels: () => [...channels.values()],
    channel: (id) => channels.get(id),
    messages: (channelId) => messages.get(channelId) ?? [],
    tokens,
    apply,
  };
}
