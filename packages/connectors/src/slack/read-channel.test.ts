import { describe, expect, it } from "vitest";
import { slackToolsOn, type SlackResponse } from "./slack-server.fixture.ts";

const channel = "C0ORDERS01";
const info = { "conversations.info": () => ({ channel: { name: "orders" } }) };
const user = ({ user: id = "" }) => ({ user: { profile: { display_name: `name of ${id}` } } });

async function readOne(message: Readonly<Record<string, unknown>>) {
  const { call, cards, asked } = await slackToolsOn({
    ...info,
    "conversations.history": () => ({ messages: [{ ts: "1763200000.000100", ...message }] }),
    "users.info": user,
  });
  const { messages } = (await call("slack_read", { channel })) as unknown as {
    messages: Record<string, unknown>[];
  };
  return { message: messages[0] ?? {}, cards, asked };
}

describe("a Slack message", () => {
  it("RT9 shows its author, time and kind", async () => {
    const { message } = await readOne({
      user: "U1",
      text: "Hello <@U2>",
      subtype: "thread_broadcast",
      thread_ts: "1763100000.000100",
      edited: {},
      reply_count: 2,
      files: [{ name: "a.pdf", mimetype: "application/pdf", size: 3 }],
    });
    expect(message).toEqual({
      ts: "1763200000.000100",
      at: "2025-11-15T09:46:40.000Z",
      who: "name of U1",
      text: "Hello @name of U2",
      replies: 2,
      inThread: "1763100000.000100",
      kind: "thread_broadcast",
      edited: true,
      files: [{ name: "a.pdf", mediaType: "application/pdf", sizeBytes: 3 }],
    });
    expect(
      (await readOne({ user: "U1", text: "Plain", thread_ts: "1763200000.000100" })).message,
    ).toEqual({
      ts: "1763200000.000100",
      at: "2025-11-15T09:46:40.000Z",
      who: "name of U1",
      text: "Plain",
      replies: 0,
    });
  });

  it.each([
    [
      "a webhook under a colleague's name",
      { subtype: "bot_message", username: "Mara Lindqvist", text: "x" },
      "Mara Lindqvist (app)",
    ],
    [
      "an app",
      { bot_id: "B1", bot_profile: { name: "Doorbell" }, username: "Mara Lindqvist", text: "x" },
      "Doorbell (app)",
    ],
    ["an app that writes as a person", { app_id: "A1", user: "U9", text: "x" }, "name of U9 (app)"],
    ["an app with an account", { bot_id: "B1", user: "U9", text: "x" }, "name of U9 (app)"],
    ["an unknown author", { text: "x" }, "unknown"],
  ])("X8 from %s cannot be mistaken for a person's", async (_, written, who) => {
    const { message, cards } = await readOne(written);
    expect(message["who"]).toBe(who);
    expect(cards).toMatchObject([{ channel: "#orders", messages: [{ who, text: "x" }] }]);
  });

  it("RT9 without text is read from its blocks, with names", async () => {
    const { message } = await readOne({
      bot_id: "B1",
      text: "",
      blocks: [{ type: "section", text: { type: "mrkdwn", text: "Done by <@U1>" } }],
    });
    expect(message["text"]).toBe("Done by @name of U1");
  });

  it("RT9 is truncated at 8,000 characters and says so", async () => {
    const { message } = await readOne({ user: "U1", text: "x".repeat(8_001) });
    expect(message["text"]).toBe(`${"x".repeat(8_000)}… (truncated: 8001 characters in total)`);
    expect((await readOne({ user: "U1", text: "x".repeat(8_000) })).message["text"]).toBe(
      "x".repeat(8_000),
    );
  });
});

describe("names of people", () => {
  const named = async (
    response: (args: Readonly<Record<string, string>>) => SlackResponse | number,
  ) => {
    const harness = await slackToolsOn({
      ...info,
      "conversations.history": () => ({
        messages: [{ ts: "1763200000.000100", user: "U1", text: "x" }],
      }),
      "users.info": response,
    });
    const who = async (ownerId?: string) =>
      (
        (await harness.call("slack_read", { channel }, ownerId)) as unknown as {
          messages: { who: string }[];
        }
      ).messages[0]?.who;
    const looks = () => harness.asked.filter(({ method }) => method === "users.info").length;
    return { ...harness, who, looks };
  };

  it("are cached for ten minutes per owner", async () => {
    const { who, looks, clock } = await named(user);
    expect([await who(), await who()]).toEqual(["name of U1", "name of U1"]);
    expect(looks()).toBe(1);
    await who("mara");
    expect(looks()).toBe(2);
    clock.set(clock.now() + 10 * 60_000);
    await who();
    expect(looks()).toBe(3);
  });

  it("X8 stay on one line, and people with the same name get their ids", async () => {
    const odd = await slackToolsOn({
      ...info,
      "conversations.history": () => ({
        messages: ["U3", "U2", "U1"].map((id, at) => ({
          ts: `176320000${3 - at}.000100`,
          user: id,
          text: "x",
        })),
      }),
      "users.info": ({ user: id }) => ({
        user: { name: id === "U3" ? "Eva\u202E\nMara" : "Mara" },
      }),
    });
    const { messages } = (await odd.call("slack_read", { channel })) as unknown as {
      messages: { who: string }[];
    };
    expect(messages.map(({ who }) => who)).toEqual([
      "Mara (U1)",
      "Mara (U2)",
      "Eva\\u{202e}\\u{a}Mara",
    ]);
  });

  it("BR20 are requested five at a time for ten seconds in total, and no longer when Slack does not respond", async () => {
    const ids = Array.from({ length: 23 }, (_, at) => `U${at}`);
    const many = async (response: (id: string) => SlackResponse | number) => {
      let [open, most] = [0, 0];
      const harness = await slackToolsOn({
        ...info,
        "conversations.history": () => ({
          messages: ids.map((id, at) => ({ ts: `17632000${10 + at}.000100`, user: id, text: "x" })),
        }),
        "users.info": async ({ user: id = "" }) => {
          most = Math.max(most, ++open);
          await new Promise((resolve) => setTimeout(resolve, 5));
          open--;
          return response(id);
        },
      });
      await harness.call("slack_read", { channel });
      return {
        most,
        looks: harness.asked.filter(({ method }) => method === "users.info").length,
        waited: harness.clock.slept,
      };
    };
    expect(await many((id) => user({ user: id }))).toEqual({ most: 5, looks: 23, waited: [] });
    // Slack asks for three seconds. Each name is tried at most three times, and later batches are
    // not started.
    expect(await many(() => 429)).toMatchObject({
      looks: 20,
      waited: Array.from({ length: 15 }, () => 3_000),
    });
  });

  it("are requested again soon if they could not be read", async () => {
    let isUp = false;
    const { who, clock } = await named((args) => (isUp ? user(args) : 500));
    expect(await who()).toBe("U1");
    isUp = true;
    expect(await who()).toBe("U1");
    clock.set(clock.now() + 30_000);
    expect(await who()).toBe("name of U1");
  });

  it("RT13 that cannot be read do not fail the read", async () => {
    expect(await (await named(() => 500)).who()).toBe("U1");
    expect(await (await named(() => ({ ok: false, error: "user_not_found" }))).who()).toBe("U1");
  });

  it("BR20 require a new connection when Slack no longer accepts it", async () => {
    await expect(
      (await named(() => ({ ok: false, error: "token_revoked" }))).who(),
    ).rejects.toMatchObject({ code: "missing_credentials" });
  });
});
