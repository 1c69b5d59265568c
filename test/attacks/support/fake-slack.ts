import { omitUndefined } from "@bron/protocol";
import type { SlackAccounts } from "../../../packages/connectors/src/slack/slack-accounts.ts";
import { slackScopes } from "../../../packages/connectors/src/slack/slack-scopes.ts";

type SlackClient = Awaited<ReturnType<SlackAccounts["client"]>>;

/** A workspace with these channels and people. */
export interface FakeSlack {
  readonly channels: readonly FakeChannel[];
  readonly users?: readonly FakeSlackUser[];
}

interface FakeChannel {
  readonly name: string;
  /** Another organization reads it too. */
  readonly isShared?: boolean;
}

interface FakeSlackUser {
  readonly id: string;
  /** The name that they chose. */
  readonly name: string;
  /** The address in their profile, if it has one. */
  readonly address?: string;
}

/** The id of a channel, which has the form of Slack's ids. */
export function channelId(name: string): string {
  return `C${Buffer.from(name).toString("hex").toUpperCase()}`;
}

/** Slack's client in this process, with the methods that the tools use. Bron is in every channel. */
export function fakeSlack(
  { channels, users = [] }: FakeSlack,
  texts: Readonly<Record<string, string>>,
): Pick<SlackAccounts, "client" | "status"> {
  const named = new Map(channels.map((channel) => [channel.name, channel]));
  const resources = [...new Set([...named.keys(), ...Object.keys(texts)])].map((name) => ({
    id: channelId(name),
    name,
    is_member: true,
    is_ext_shared: named.get(name)?.isShared === true,
  }));
  const people = users.map(({ id, name, address }) => ({
    id,
    name,
    profile: { display_name: name, ...omitUndefined({ email: address }) },
  }));
  const person = async (found: (typeof people)[number] | undefined) => {
    if (found) return { user: found };
    throw Object.assign(new Error("user_not_found"), {
      code: "slack_webapi_platform_error",
      data: { ok: false, error: "user_not_found" },
    });
  };
  const client = {
    conversations: {
      list: async () => ({ channels: resources }),
      info: async ({ channel }: { channel: string }) => ({
        channel: resources.find(({ id }) => id === channel),
      }),
      open: async ({ users: id }: { users: string }) => ({ channel: { id: `D${id}` } }),
      history: async ({ channel }: { channel: string }) => {
        const name = resources.find(({ id }) => id === channel)?.name ?? "";
        const text = texts[name];
        return { messages: text === undefined ? [] : [{ ts: "1763200000.000100", text }] };
      },
    },
    users: {
      info: ({ user }: { user: string }) => person(people.find(({ id }) => id === user)),
      lookupByEmail: ({ email }: { email: string }) =>
        person(people.find(({ profile }) => profile.email === email)),
    },
    chat: { postMessage: async () => ({ ts: "1763200000.000200" }) },
  };
  return {
    client: () => Promise.resolve(client as unknown as SlackClient),
    status: () =>
      Promise.resolve({ account: "Lindqvist", scopes: slackScopes.map(({ scope }) => scope) }),
  };
}
