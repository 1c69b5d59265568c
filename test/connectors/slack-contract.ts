import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ToolCaller } from "./call-tool.ts";

export interface SlackAccount {
  readonly tools: ToolCaller;
  /** The same tools with a token that Slack never issued. */
  readonly refused: ToolCaller;
  close(): Promise<void>;
}

interface Channel {
  readonly channelId: string;
  readonly name: string;
  readonly isMember: boolean;
}

interface Page {
  readonly messages: {
    readonly ts: string;
    readonly who: string;
    readonly replies: number;
    readonly inThread?: string;
  }[];
  readonly nextCursor?: string;
}

/**
 * What the tools promise for any workspace with a channel that Bron was invited to and that has
 * messages. Changes nothing.
 */
export function describeSlack(name: string, open: () => Promise<SlackAccount>): void {
  describe(`RT9 RT13 Slack: ${name}`, () => {
    let slack: SlackAccount;
    let channel: Channel;
    let joined: readonly Channel[];
    beforeAll(async () => {
      slack = await open();
      const { channels } = (await slack.tools.read("slack_channels", {})) as unknown as {
        channels: Channel[];
      };
      joined = channels.filter(({ isMember }) => isMember);
      const [own] = joined;
      if (!own) throw new Error("Invite Bron into a channel first: /invite @Bron");
      channel = own;
    });
    afterAll(async () => await slack.close());
    const read = async (input: Record<string, unknown>) =>
      (await slack.tools.read("slack_read", {
        channel: channel.channelId,
        ...input,
      })) as unknown as Page;

    it("reads a channel by its id and by its name", async () => {
      const byId = await read({ limit: 5 });
      expect(byId.messages.length).toBeGreaterThan(0);
      expect(
        (await read({ channel: `#${channel.name}`, limit: 5 })).messages.map(({ ts }) => ts),
      ).toEqual(byId.messages.map(({ ts }) => ts));
    });

    it("reads pages without gaps or duplicates", async () => {
      const allMessages = (await read({ limit: 6 })).messages.map(({ ts }) => ts);
      const newestPage = await read({ limit: 3 });
      const olderPage =
        newestPage.nextCursor === undefined
          ? { messages: [] }
          : await read({ limit: 3, cursor: newestPage.nextCursor });
      expect([...olderPage.messages, ...newestPage.messages].map(({ ts }) => ts)).toEqual(
        allMessages,
      );
    });

    it("names the authors", async () => {
      const { messages } = await read({ limit: 20 });
      expect(messages.filter(({ who }) => who === "" || /^[UW][A-Z0-9]{7,}$/.test(who))).toEqual(
        [],
      );
    });

    it("reads a conversation with its first message first", async ({ skip }) => {
      for (const { channelId } of joined) {
        const threadRoot = (await read({ channel: channelId, limit: 100 })).messages.find(
          ({ replies }) => replies > 0,
        );
        if (!threadRoot) continue;
        const { messages } = await read({
          channel: channelId,
          threadTs: threadRoot.ts,
          limit: 100,
        });
        expect(messages[0]?.ts).toBe(threadRoot.ts);
        expect(messages.slice(1).every(({ inThread }) => inThread === threadRoot.ts)).toBe(true);
        return expect(messages.length).toBe(threadRoot.replies + 1);
      }
      skip("No message in these channels has a reply.");
    });

    it("says not_found for a channel that does not exist", async () => {
      for (const wanted of ["#bron-contract-none", "C0BRONNONE0"])
        await expect(read({ channel: wanted })).rejects.toMatchObject({ code: "not_found" });
    });

    it("asks to reconnect when Slack no longer accepts the workspace", async () => {
      await expect(slack.refused.read("slack_channels", {})).rejects.toMatchObject({
        code: "missing_credentials",
        details: { provider: "slack" },
      });
    });
  });
}
