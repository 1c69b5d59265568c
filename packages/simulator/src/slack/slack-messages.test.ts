import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { withSimulator } from "../google/google-client.fixture.ts";
import {
  channelId,
  createSlackClient,
  messagePages,
  slackRefusal,
} from "./slack-client.fixture.ts";
import { channelIdOf, userIdOf } from "./slack-ids.ts";

const now = () => new Date("2026-11-13T17:30:00Z");

describe("history", () => {
  test("is newest first, without thread replies unless broadcast", () =>
    withSimulator({ now }, async (simulator) => {
      const { messages = [] } = await createSlackClient(simulator).conversations.history({
        channel: channelIdOf("workshop"),
      });
      const times = messages.map(({ ts }) => Number(ts));
      expect(times).toEqual([...times].sort((a, b) => b - a));
      const responses = messages.filter(
        ({ thread_ts: thread, ts }) => thread !== undefined && thread !== ts,
      );
      expect(responses).toMatchObject([
        { subtype: "thread_broadcast", text: expect.stringContaining("Version 4.2") },
      ]);
      const root = messages.find(({ text }) => text?.includes("22 Nm, no longer 18"));
      expect(root).toMatchObject({
        thread_ts: root?.ts,
        reply_count: 4,
        reply_users_count: 3,
        latest_reply: responses[0]?.ts,
      });
    }));

  test("contains every kind of Slack markup", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const read = async (name: string) =>
        (await client.conversations.history({ channel: channelIdOf(name) })).messages ?? [];
      const [general, workshop, suppliers] = [
        await read("general"),
        await read("workshop"),
        await read("suppliers"),
      ];
      const texts = [...general, ...workshop, ...suppliers].map(({ text }) => text).join("\n");
      for (const mark of [
        "<!here>",
        `<@${userIdOf("priya@lindqvist.example")}>`,
        `<#${channelIdOf("leadership")}|leadership>`,
        "|Here is the folder>",
        "load &gt; 180 kg &amp; 22 Nm",
        "```\nframe",
        ":sweat_smile:",
      ])
        expect(texts).toContain(mark);
      expect(general).toContainEqual(
        expect.objectContaining({ subtype: "bot_message", username: "Doorbell" }),
      );
      expect(general).toContainEqual(expect.objectContaining({ subtype: "channel_join" }));
      expect(general).toContainEqual(
        expect.objectContaining({
          edited: expect.objectContaining({ user: userIdOf("mara@lindqvist.example") }),
          reactions: [expect.objectContaining({ name: "+1", count: 4 })],
        }),
      );
      expect(workshop).toContainEqual(
        expect.objectContaining({
          files: [expect.objectContaining({ name: "2214-crack.jpg", mimetype: "image/jpeg" })],
        }),
      );
    }));

  test("respects the requested times, inclusive only on request", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = channelIdOf("orders");
      const { messages = [] } = await client.conversations.history({ channel });
      const [latest, oldest] = [messages[1]?.ts ?? "", messages[4]?.ts ?? ""];
      const between = async (inclusive: boolean) =>
        (await client.conversations.history({ channel, latest, oldest, inclusive })).messages?.map(
          ({ ts }) => ts,
        );
      expect(await between(false)).toEqual(messages.slice(2, 4).map(({ ts }) => ts));
      expect(await between(true)).toEqual(messages.slice(1, 5).map(({ ts }) => ts));
    }));

  test("of 5,000 messages comes page by page, each exactly once, also while new ones arrive", () =>
    withSimulator({ now, slackVolume: 5_000 }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = await channelId(client, "volume");
      const seen: (string | undefined)[] = [];
      let pages = 0;
      for await (const { messages, has_more: hasMore, response_metadata: end } of messagePages(
        client,
        "conversations.history",
        { channel, limit: 999 },
      )) {
        seen.push(...messages.map(({ text }) => text));
        expect(hasMore).toBe(end.next_cursor !== "");
        pages += 1;
        simulator.slackControl.post({
          channel: "volume",
          from: "mara@lindqvist.example",
          text: `late ${pages}`,
        });
      }
      expect(pages).toBe(6);
      expect(seen).toEqual(
        Array.from({ length: 5_000 }, (_, index) => `Message ${5_000 - index} of 5000`),
      );
    }));

  test("is the same for any page size", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = channelIdOf("suppliers");
      const whole = (await client.conversations.history({ channel, limit: 999 })).messages?.map(
        ({ ts }) => ts,
      );
      await fc.assert(
        fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (limit) => {
          const seen: unknown[] = [];
          for await (const { messages } of messagePages(client, "conversations.history", {
            channel,
            limit,
          }))
            seen.push(...messages.map(({ ts }) => ts));
          expect(seen).toEqual(whole);
        }),
        { numRuns: 12 },
      );
    }));
});

describe("a thread", () => {
  test("starts with its first message and continues in order, page by page", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = channelIdOf("workshop");
      const { messages = [] } = await client.conversations.history({ channel });
      const root = messages.find(({ text }) => text?.includes("22 Nm, no longer 18"));
      const ts = root?.ts ?? "";
      const whole = await client.conversations.replies({ channel, ts });
      expect(whole.messages?.map(({ text }) => text?.slice(0, 10))).toEqual([
        "Headset to",
        "Wrench 1 i",
        "Wrench 2 a",
        "And nothin",
        "Manual is ",
      ]);
      expect(whole.messages?.[1]).toMatchObject({ thread_ts: ts, parent_user_id: root?.user });
      const seen: unknown[] = [];
      for await (const page of messagePages(client, "conversations.replies", {
        channel,
        ts,
        limit: 2,
      }))
        seen.push(...page.messages.map((message) => message.ts));
      expect(seen).toEqual(whole.messages?.map((message) => message.ts));
      expect(
        (await slackRefusal(client.conversations.replies({ channel, ts: "1.000000" }))).error,
      ).toBe("thread_not_found");
    }));

  test("of a message without replies is that message", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = channelIdOf("general");
      const alone = (await client.conversations.history({ channel })).messages?.find(
        ({ reply_count: count, subtype }) => count === undefined && subtype === undefined,
      );
      expect(
        (await client.conversations.replies({ channel, ts: alone?.ts ?? "" })).messages,
      ).toMatchObject([{ ts: alone?.ts }]);
    }));

  test("has links to each of its messages", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = channelIdOf("workshop");
      const root = (await client.conversations.history({ channel })).messages?.find(
        ({ reply_count: count }) => count !== undefined,
      );
      const response = (await client.conversations.replies({ channel, ts: root?.ts ?? "" }))
        .messages?.[1];
      const link = async (ts: string | undefined) =>
        (await client.chat.getPermalink({ channel, message_ts: ts ?? "" })).permalink;
      expect(await link(root?.ts)).toBe(
        `https://lindqvist-cargo.slack.example/archives/${channel}/p${root?.ts?.replace(".", "") ?? ""}`,
      );
      expect(await link(response?.ts)).toContain(`?thread_ts=${root?.ts ?? ""}&cid=${channel}`);
      expect(
        (await slackRefusal(client.chat.getPermalink({ channel, message_ts: "1.000000" }))).error,
      ).toBe("message_not_found");
    }));
});

describe("posting", () => {
  test("is on record with the call that did it, in channels, threads and direct conversations", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = channelIdOf("orders");
      const first = await client.chat.postMessage({ channel, text: "Hello" });
      const second = await client.chat.postMessage({
        channel,
        text: "In the thread",
        thread_ts: first.ts ?? "",
      });
      await client.chat.postMessage({
        channel: userIdOf("jonas@lindqvist.example"),
        text: "Only for you",
      });
      const { posted, calls } = simulator.record();
      expect(posted).toMatchObject([
        { channelName: "orders", text: "Hello", ts: first.ts },
        { channelName: "orders", text: "In the thread", threadTs: first.ts, ts: second.ts },
        { channelName: "@jonas", text: "Only for you" },
      ]);
      expect(
        calls
          .filter(({ method }) => method === "slack.chat.postMessage")
          .map(({ seq, effects }) => ({ seq, effects })),
      ).toEqual(
        posted.map(({ call, ts, channelName }) => ({
          seq: call,
          effects: [`posted ${ts} to ${channelName}`],
        })),
      );
      expect(
        (await client.conversations.replies({ channel, ts: first.ts ?? "" })).messages,
      ).toHaveLength(2);
      expect((await client.conversations.list({ types: "im" })).channels).toHaveLength(2);
    }));

  test.each([
    ["no_text", { channel: channelIdOf("orders") }],
    ["channel_not_found", { channel: "C0NOWHERE1", text: "x" }],
    ["not_in_channel", { channel: channelIdOf("random"), text: "x" }],
    ["msg_too_long", { channel: channelIdOf("orders"), text: "x".repeat(40_001) }],
    [
      "cannot_reply_to_message",
      { channel: channelIdOf("orders"), text: "x", thread_ts: "1.000000" },
    ],
  ])("is refused as %s, and then nothing was posted", (error, options) =>
    withSimulator({ now }, async (simulator) => {
      expect(
        (
          await slackRefusal(
            createSlackClient(simulator).apiCall("chat.postMessage", {
              ...options,
              as_user: undefined,
            }),
          )
        ).error,
      ).toBe(error);
      expect(simulator.record().posted).toEqual([]);
    }),
  );
});
