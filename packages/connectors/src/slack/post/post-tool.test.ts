import { describe, expect, it } from "vitest";
import { slackScopes } from "../slack-scopes.ts";
import { slackToolsOn, type SlackResponse } from "../slack-server.fixture.ts";

const general = { id: "C0GENERAL", name: "general", is_member: true };
const channels = [
  general,
  { id: "C0TEAMBER", name: "team-berlin", is_member: true },
  { id: "C0TEAMOSL", name: "team-oslo", is_member: true },
  { id: "C0PARTNER", name: "partners", is_member: true, is_shared: true, is_ext_shared: true },
  { id: "C0RANDOM0", name: "random", is_member: false },
];
const users: Readonly<Record<string, SlackResponse>> = {
  U0JONAS00: {
    id: "U0JONAS00",
    real_name: "Mara Lindqvist",
    profile: { display_name: "mara@x.example", email: "jonas@x.example" },
  },
  U0NOMAIL0: { id: "U0NOMAIL0", real_name: "Guest", profile: {} },
};

type Posted = Readonly<Record<string, string>>;

/** A workspace that keeps what is posted. `respond` may lose or refuse the post. */
function workspace(
  respond?: (posted: Posted, keep: () => SlackResponse) => SlackResponse | number,
) {
  const kept: Posted[] = [];
  return {
    kept,
    methods: {
      "auth.test": () => ({ team: "Example", user: "bron" }),
      "conversations.list": () => ({ channels }),
      "conversations.open": ({ users: id = "" }: Posted) => ({ channel: { id: `D${id}` } }),
      "users.info": ({ user = "" }: Posted) =>
        users[user] ? { user: users[user] } : { ok: false, error: "user_not_found" },
      "users.lookupByEmail": ({ email }: Posted) =>
        email === "jonas@x.example"
          ? { user: users["U0JONAS00"] }
          : { ok: false, error: "users_not_found" },
      "chat.postMessage": (posted: Posted) => {
        const keep = () => {
          kept.push(posted);
          return { ok: true, ts: "1763200000.000100", channel: posted["channel"] };
        };
        return respond ? respond(posted, keep) : keep();
      },
      "conversations.history": ({ include_all_metadata: withMetadata }: Posted) => ({
        messages: kept.map(({ metadata = "{}" }) => ({
          ts: "1763200000.000100",
          ...(withMetadata === "true" ? { metadata: JSON.parse(metadata) as unknown } : {}),
        })),
      }),
    },
  };
}

describe("a post", () => {
  it("RT9 goes to a channel once, without unfurling, and is shown before", async () => {
    const { methods, kept } = workspace();
    const { prepare } = await slackToolsOn(methods);
    const post = await prepare({ to: "#general", text: "Lunch at <https://x.example/a|noon>" });
    expect(post.preview).toBe(
      "Slack: bron in Example\nTo: #general\n\nLunch at noon (https://x.example/a)",
    );
    expect(kept).toEqual([]);
    expect(await post.execute()).toMatchObject({ channelId: "C0GENERAL", ts: "1763200000.000100" });
    expect(kept).toMatchObject([
      {
        channel: "C0GENERAL",
        text: "Lunch at <https://x.example/a|noon>",
        unfurl_links: "false",
        unfurl_media: "false",
      },
    ]);
  });

  it("RT9 goes to a person, who is known by the address in their profile only", async () => {
    const { methods, kept } = workspace();
    const { prepare } = await slackToolsOn(methods);
    for (const to of ["jonas@x.example", "U0JONAS00"]) {
      const post = await prepare({ to, text: "Hi" });
      expect(post.facts).toMatchObject({
        kind: "channel",
        recipients: [{ address: "jonas@x.example", role: "to" }],
        things: [],
      });
      expect(post.preview).toContain("To: mara@x.example <jonas@x.example>\nAs a direct message");
      await post.execute();
    }
    expect(kept.map(({ channel }) => channel)).toEqual(["DU0JONAS00", "DU0JONAS00"]);
    const stranger = await prepare({ to: "U0NOMAIL0", text: "Hi" });
    expect(stranger.facts.recipients).toEqual([{ address: "U0NOMAIL0", role: "to" }]);
    await expect(prepare({ to: "eva@x.example", text: "Hi" })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("X3 reports whom it notifies, links with their labels, and shared channels", async () => {
    const { prepare } = await slackToolsOn(workspace().methods);
    const { facts, preview } = await prepare({
      to: "partners",
      text: "<@U0JONAS00> <!here> ask @channel, see <https://evil.example/x|trusted.example> or <mailto:eva@x.example|us>",
    });
    expect(facts).toMatchObject({
      recipients: [{ address: "jonas@x.example", role: "mention" }],
      things: [{ kind: "channel", id: "C0PARTNER", title: "#partners", isShared: true }],
      warnings: [
        { code: "notifies_group", mention: "@here" },
        { code: "notifies_group", mention: "@channel" },
      ],
      values: ["eva@x.example"],
    });
    expect(facts.hosts).toEqual(expect.arrayContaining(["evil.example", "trusted.example"]));
    expect(preview).toContain("Shared with another organization");
    expect(preview).toContain("Notifies: mara@x.example <jonas@x.example>, @here, @channel");
  });

  it.each([
    "＠here",
    "@ｈｅｒｅ",
    "@\u200bhere",
    "@he\u00adre",
    "＜!here＞",
    "<！here>",
    "<!\u200bhere>",
    "<\u2060!HERE|lunch>",
  ])("X3 reports a group that is spelled with other characters: %j", async (mention) => {
    const { prepare } = await slackToolsOn(workspace().methods);
    const { facts } = await prepare({ to: "general", text: `Lunch ${mention} at noon` });
    expect(facts.warnings).toEqual([{ code: "notifies_group", mention: "@here" }]);
  });

  it.each(["＜@U0JONAS00＞", "<＠U0JONAS00>", "<@\u200bU0JONAS00>", "<@Ｕ０ＪＯＮＡＳ００|x>"])(
    "X3 reports a person who is mentioned with other characters: %j",
    async (mention) => {
      const { prepare } = await slackToolsOn(workspace().methods);
      const { facts } = await prepare({ to: "general", text: `Lunch ${mention} at noon` });
      expect(facts.recipients).toEqual([{ address: "jonas@x.example", role: "mention" }]);
    },
  );

  it("RT13 that cannot be posted says why, before anything is asked", async () => {
    const { prepare } = await slackToolsOn(workspace().methods);
    await expect(prepare({ to: "random", text: "Hi" })).rejects.toThrow("/invite @Bron");
    await expect(prepare({ to: "#genral", text: "Hi" })).rejects.toThrow("Did you mean #general");
    await expect(prepare({ to: "general", text: " \n" })).rejects.toThrow("nothing to post");
    await expect(prepare({ to: "general", text: "<@U0UNKNOWN>" })).rejects.toMatchObject({
      code: "not_found",
    });
  });

  it("RT9 can be edited before it is approved", async () => {
    const { prepare } = await slackToolsOn(workspace().methods);
    const post = await prepare({ to: "general", text: "Hi" });
    const edited = await post.edit({ to: "jonas@x.example" });
    expect(edited?.preview).toContain("<jonas@x.example>\nAs a direct message\n\nHi");
    await expect(post.edit({ to: "nowhere" })).rejects.toMatchObject({ code: "not_found" });
  });
});

describe("the channel that words mean", () => {
  it.each([
    ["#general", ["C0GENERAL"]],
    ["the general channel", ["C0GENERAL"]],
    ["gen", ["C0GENERAL"]],
    ["team berlin", ["C0TEAMBER"]],
    ["team", ["C0TEAMBER", "C0TEAMOSL"]],
    ["#team-oslo on Slack", ["C0TEAMOSL"]],
    ["eneral", []],
    ["#", []],
  ])("X3 is its name or the start of its name: %s", async (words, ids) => {
    const { prepare } = await slackToolsOn(workspace().methods);
    const post = await prepare({ to: "general", text: "Hi" });
    expect(await post.mentions({ kind: "channel", words })).toEqual(ids);
  });

  it("X3 a person is meant by the name that the owner uses, not by the one in Slack", async () => {
    const { prepare } = await slackToolsOn(workspace().methods);
    const post = await prepare({ to: "U0JONAS00", text: "Hi" });
    const meant = (words: string) => post.mentions({ means: "person", words, mails: [] });
    expect(await meant("Mara Lindqvist")).toEqual([]);
    expect(await meant("Jonas")).toEqual(["jonas@x.example"]);
  });
});

describe("a post with an unclear response", () => {
  const prepareOn = async (respond: Parameters<typeof workspace>[0]) => {
    const { methods, kept } = workspace(respond);
    const { prepare, asked } = await slackToolsOn(methods);
    return { post: await prepare({ to: "general", text: "Hi" }), kept, asked };
  };

  it("X2 is found in the history if Slack posted it and reported an error", async () => {
    const { post, kept } = await prepareOn((_, keep) => (keep(), 500));
    expect(await post.execute()).toMatchObject({ ts: "1763200000.000100" });
    expect(kept).toHaveLength(1);
  });

  it("X2 was not posted if Slack reported an error and the history does not have it", async () => {
    const { post } = await prepareOn(() => ({ ok: false, error: "internal_error" }));
    await expect(post.execute()).rejects.toMatchObject({
      code: "effect_not_done",
      retryable: true,
    });
  });

  it("X2 is retried after a rate limit, and not after a rejection", async () => {
    const limited = await prepareOn(() => 429);
    await expect(limited.post.execute()).rejects.toMatchObject({
      code: "effect_not_done",
      retryable: true,
      details: { retryAfterMs: 3_000 },
    });
    const rejected = await prepareOn(() => ({ ok: false, error: "restricted_action" }));
    await expect(rejected.post.execute()).rejects.toMatchObject({
      code: "effect_not_done",
      retryable: false,
    });
  });

  it("X2 is done or unknown when it is reconciled, never free to be posted again", async () => {
    const { post, kept } = await prepareOn((_, keep) => keep());
    expect(await post.reconcile()).toEqual({
      state: "unknown",
      check: "Look in Slack whether the message is in #general.",
    });
    await post.execute();
    expect(await post.reconcile()).toMatchObject({ state: "done" });
    // A message of another effect with the same text is not this one.
    const other = await prepareOn((_, keep) => keep());
    other.kept.push(...kept);
    expect(await other.post.reconcile()).toMatchObject({ state: "unknown" });
  });
});

describe("a workspace that was connected before Bron could post", () => {
  const scopes = slackScopes.map(({ scope }) => scope);

  it("BR20 is still read, and must be connected again to post", async () => {
    const { methods } = workspace();
    const old = await slackToolsOn(
      methods,
      scopes.filter((scope) => scope !== "chat:write"),
    );
    expect(await old.call("slack_channels", {})).toMatchObject({ found: 5 });
    await expect(old.prepare({ to: "general", text: "Hi" })).rejects.toMatchObject({
      code: "missing_credentials",
      message: expect.stringMatching(
        /^Slack \(Example\) was connected without these permissions: Post messages you approve \(chat:write\)\. Connect it again\.$/,
      ),
      details: { provider: "slack" },
    });
    const renewed = await slackToolsOn(methods, scopes);
    expect((await renewed.prepare({ to: "general", text: "Hi" })).preview).toContain("#general");
  });
});

describe("the members of a channel", () => {
  it("RT9 are listed with the addresses in their profiles, on all pages", async () => {
    const { call } = await slackToolsOn({
      ...workspace().methods,
      "conversations.members": ({ cursor = "" }) =>
        cursor === ""
          ? { members: ["U0JONAS00"], response_metadata: { next_cursor: "2" } }
          : { members: ["U0NOMAIL0", "U0GONE000"] },
      "users.list": ({ cursor = "" }) =>
        cursor === ""
          ? { members: [users["U0JONAS00"]], response_metadata: { next_cursor: "2" } }
          : { members: [{ ...users["U0NOMAIL0"], is_bot: true }] },
    });
    expect(await call("slack_members", { channel: "general" })).toEqual({
      channel: "general",
      channelId: "C0GENERAL",
      count: 3,
      more: false,
      members: [
        { userId: "U0JONAS00", name: "mara@x.example", address: "jonas@x.example" },
        { userId: "U0NOMAIL0", name: "Guest", isBot: true },
        { userId: "U0GONE000", name: "U0GONE000" },
      ],
    });
  });
});
