import { describe, expect, test } from "vitest";
import { withSimulator } from "../google/google-client.fixture.ts";
import { botUserId, channelIdOf, userIdOf } from "./slack-ids.ts";
import {
  channelId,
  createSlackClient,
  installSlack,
  slackConsent,
  slackRedirect,
  slackRefusal,
} from "./slack-client.fixture.ts";

const now = () => new Date("2026-11-13T17:30:00Z");
const all = "public_channel,private_channel,im,mpim";

describe("tokens", () => {
  test("identify their user", () =>
    withSimulator({ now }, async (simulator) => {
      const response = await createSlackClient(simulator).auth.test();
      expect(response).toMatchObject({
        ok: true,
        team: "Lindqvist Cargo",
        user: "bron",
        user_id: botUserId,
        bot_id: expect.stringMatching(/^B/),
        team_id: expect.stringMatching(/^T/),
      });
      expect(response.response_metadata?.scopes).toContain("channels:history");
    }));

  test("that are missing, wrong, revoked or deactivated are refused with distinct errors", () =>
    withSimulator({ now }, async (simulator) => {
      expect((await slackRefusal(createSlackClient(simulator, "").auth.test())).error).toBe(
        "not_authed",
      );
      expect(
        (await slackRefusal(createSlackClient(simulator, "xoxb-nobody").auth.test())).error,
      ).toBe("invalid_auth");
      const installed = await installSlack(simulator, "channels:read");
      expect(await installed.auth.revoke({ test: true })).toMatchObject({
        ok: true,
        revoked: false,
      });
      expect(await installed.auth.revoke()).toMatchObject({ ok: true, revoked: true });
      expect((await slackRefusal(installed.auth.test())).error).toBe("token_revoked");
      await createSlackClient(simulator).auth.test();
      simulator.slackControl.deactivate(botUserId);
      expect((await slackRefusal(createSlackClient(simulator).auth.test())).error).toBe(
        "account_inactive",
      );
    }));

  test("without the scope get its name in body and headers", () =>
    withSimulator({ now }, async (simulator) => {
      const client = await installSlack(simulator, "channels:read,users:read");
      const refused = await slackRefusal(
        client.conversations.history({ channel: channelIdOf("general") }),
      );
      expect(refused).toMatchObject({
        error: "missing_scope",
        needed: "channels:history,groups:history,mpim:history,im:history",
        provided: "channels:read,users:read",
      });
      expect(refused.response_metadata).toMatchObject({
        scopes: ["channels:read", "users:read"],
        acceptedScopes: ["channels:history", "groups:history", "mpim:history", "im:history"],
      });
      expect(
        await slackRefusal(client.conversations.list({ types: "public_channel,private_channel" })),
      ).toMatchObject({ error: "missing_scope", needed: "groups:read" });
      expect(
        await slackRefusal(client.chat.postMessage({ channel: channelIdOf("general"), text: "x" })),
      ).toMatchObject({ error: "missing_scope", needed: "chat:write" });
      expect(simulator.record().posted).toEqual([]);
    }));

  test("with a permission for public channels do not open private ones", () =>
    withSimulator({ now }, async (simulator) => {
      const client = await installSlack(simulator, "channels:history");
      expect(
        (await client.conversations.history({ channel: channelIdOf("general"), limit: 1 }))
          .messages,
      ).toHaveLength(1);
      expect(
        await slackRefusal(client.conversations.history({ channel: channelIdOf("leadership") })),
      ).toMatchObject({ error: "missing_scope", needed: "groups:history" });
    }));
});

describe("channels", () => {
  test("are listed with membership; private ones only to members", () =>
    withSimulator({ now }, async (simulator) => {
      const { channels = [] } = await createSlackClient(simulator).conversations.list({
        types: all,
        exclude_archived: true,
      });
      const members = Object.fromEntries(
        channels
          .filter(({ is_im: isDirect }) => isDirect !== true)
          .map(({ name, is_member: isMember }) => [name, isMember]),
      );
      expect(members).toEqual({
        general: true,
        workshop: true,
        orders: true,
        suppliers: true,
        random: false,
        leadership: true,
      });
      expect(channels.filter(({ is_im: isDirect }) => isDirect)).toMatchObject([
        { user: userIdOf("mara@lindqvist.example") },
      ]);
      expect(
        (await createSlackClient(simulator).conversations.list({})).channels?.map(
          ({ name }) => name,
        ),
      ).not.toContain("leadership");
    }));

  test("are listed page by page, each once", () =>
    withSimulator({ now }, async (simulator) => {
      const names: (string | undefined)[] = [];
      for await (const page of createSlackClient(simulator).paginate("conversations.list", {
        types: all,
        limit: 2,
      })) {
        const { channels } = page as { readonly channels?: readonly { readonly id?: string }[] };
        expect(channels?.length).toBeLessThanOrEqual(2);
        names.push(...(channels ?? []).map(({ id }) => id));
      }
      expect(names).toHaveLength(7);
      expect(new Set(names).size).toBe(7);
    }));

  test("describe themselves and their members", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = await channelId(client, "leadership");
      expect(
        (await client.conversations.info({ channel, include_num_members: true })).channel,
      ).toMatchObject({
        id: channel,
        name: "leadership",
        is_private: true,
        is_member: true,
        num_members: 5,
        purpose: { value: "Money, people, plans" },
      });
      const { members = [] } = await client.conversations.members({ channel });
      expect(members).toContain(botUserId);
      expect(members).not.toContain(userIdOf("dana@lindqvist.example"));
    }));

  test("that the app is not in can be joined if they are public", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const channel = channelIdOf("random");
      expect((await slackRefusal(client.conversations.history({ channel }))).error).toBe(
        "not_in_channel",
      );
      expect((await client.conversations.join({ channel })).channel).toMatchObject({
        is_member: true,
      });
      expect((await client.conversations.history({ channel })).messages?.length).toBeGreaterThan(3);
      expect(await client.conversations.join({ channel })).toMatchObject({
        ok: true,
        warning: "already_in_channel",
      });
    }));

  test.each([
    ["channel_not_found", { channel: "C0NOWHERE1" }],
    ["invalid_arguments", {}],
    ["invalid_limit", { channel: channelIdOf("general"), limit: 1_000 }],
    ["invalid_limit", { channel: channelIdOf("general"), limit: "many" }],
    ["invalid_cursor", { channel: channelIdOf("general"), cursor: "bm90aGluZw==" }],
    ["invalid_ts_latest", { channel: channelIdOf("general"), latest: "yesterday" }],
    ["invalid_ts_oldest", { channel: channelIdOf("general"), oldest: "12:00" }],
  ])("answer %s to %j", (error, options) =>
    withSimulator({ now }, async (simulator) =>
      expect(
        (await slackRefusal(createSlackClient(simulator).apiCall("conversations.history", options)))
          .error,
      ).toBe(error),
    ),
  );

  test("that are private do not exist for those who are not in them", () =>
    withSimulator({ now }, async (simulator) => {
      const bot = createSlackClient(simulator);
      const { channel = "" } = await bot.chat.postMessage({
        channel: userIdOf("jonas@lindqvist.example"),
        text: "Between us",
      });
      expect((await bot.conversations.history({ channel })).messages).toHaveLength(1);
      const { code } = await slackConsent(simulator, {
        scope: "",
        userScope: "im:read,im:history,groups:read,chat:write",
      });
      const installed = await bot.oauth.v2.access({
        client_id: simulator.slackClientId,
        client_secret: simulator.slackClientSecret,
        code,
        redirect_uri: slackRedirect,
      });
      const mara = createSlackClient(simulator, installed.authed_user?.access_token);
      expect(
        (await mara.conversations.list({ types: "im,private_channel" })).channels?.map(
          ({ id }) => id,
        ),
      ).not.toContain(channel);
      for (const call of [
        mara.conversations.info({ channel }),
        mara.conversations.history({ channel }),
        mara.chat.postMessage({ channel, text: "x" }),
        mara.chat.getPermalink({ channel, message_ts: "1.000000" }),
      ])
        expect((await slackRefusal(call)).error).toBe("channel_not_found");
    }));
});

describe("people", () => {
  test("are ten, a former employee, the app and Slackbot; addresses need their own scope", () =>
    withSimulator({ now }, async (simulator) => {
      const { members = [] } = await createSlackClient(simulator).users.list({});
      expect(members).toHaveLength(13);
      expect(members.filter(({ deleted }) => deleted).map(({ name }) => name)).toEqual(["henrik"]);
      expect(members.filter(({ is_bot: isBot }) => isBot).map(({ name }) => name)).toEqual([
        "bron",
      ]);
      const camille = members.find(({ name }) => name === "camille");
      expect(camille).toMatchObject({
        real_name: "Camille Laurent",
        tz: "Europe/Paris",
        tz_offset: 3_600,
        profile: { email: "camille@lindqvist.example", display_name: "Camille", title: "Sales" },
      });
      const limited = await installSlack(simulator, "users:read");
      const { user } = await limited.users.info({ user: camille?.id ?? "" });
      expect(user?.profile?.display_name).toBe("Camille");
      expect(user?.profile).not.toHaveProperty("email");
      expect((await slackRefusal(limited.users.info({ user: "U0NOBODY" }))).error).toBe(
        "user_not_found",
      );
    }));

  test("are listed page by page", () =>
    withSimulator({ now }, async (simulator) => {
      const client = createSlackClient(simulator);
      const first = await client.users.list({ limit: 10 });
      const second = await client.users.list({
        limit: 10,
        cursor: first.response_metadata?.next_cursor ?? "",
      });
      expect(
        new Set([...(first.members ?? []), ...(second.members ?? [])].map(({ id }) => id)).size,
      ).toBe(13);
      expect(second.response_metadata?.next_cursor).toBe("");
    }));

  test("work in one team", () =>
    withSimulator({ now }, async (simulator) =>
      expect((await createSlackClient(simulator).team.info()).team).toMatchObject({
        name: "Lindqvist Cargo",
        email_domain: "lindqvist.example",
      }),
    ));
});

describe("the wire", () => {
  const post = (apiUrl: string, body: string, headers: Readonly<Record<string, string>>) =>
    fetch(`${apiUrl}auth.test`, { method: "POST", body, headers }).then((response) =>
      response.json(),
    );

  test("accepts forms, JSON and queries and rejects others", () =>
    withSimulator({ now }, async (simulator) => {
      const { apiUrl } = simulator.slackEndpoints;
      const authorization = `Bearer ${simulator.slackBotToken}`;
      expect(
        await post(apiUrl, `token=${simulator.slackBotToken}`, {
          "content-type": "application/x-www-form-urlencoded",
        }),
      ).toMatchObject({ ok: true });
      expect(
        await post(apiUrl, "{}", {
          authorization,
          "content-type": "application/json; charset=utf-8",
        }),
      ).toMatchObject({ ok: true });
      expect(
        await post(apiUrl, "{", { authorization, "content-type": "application/json" }),
      ).toMatchObject({ ok: false, error: "invalid_json" });
      expect(
        await post(apiUrl, "[]", { authorization, "content-type": "application/json" }),
      ).toMatchObject({ ok: false, error: "json_not_object" });
      expect(
        await post(apiUrl, "x", { authorization, "content-type": "text/plain" }),
      ).toMatchObject({ ok: false, error: "invalid_post_type" });
      const queried = await fetch(
        `${apiUrl}conversations.history?channel=${channelIdOf("orders")}&limit=2`,
        { headers: { authorization } },
      );
      expect(queried.status).toBe(200);
      expect((await queried.json()) as unknown).toMatchObject({
        ok: true,
        has_more: true,
        messages: [{ type: "message" }, { type: "message" }],
      });
    }));

  test("rejects unknown methods", () =>
    withSimulator({ now }, async (simulator) =>
      expect(
        await slackRefusal(createSlackClient(simulator).apiCall("search.messages")),
      ).toMatchObject({ error: "unknown_method", req_method: "search.messages" }),
    ));
});
