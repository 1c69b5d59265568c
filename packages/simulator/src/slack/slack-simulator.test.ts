import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WebClientEvent } from "@slack/web-api";
import { describe, expect, test } from "vitest";
import { withSimulator } from "../google/google-client.fixture.ts";
import {
  createSlackClient,
  installSlack,
  slackConsent,
  slackRedirect,
  slackRefusal,
} from "./slack-client.fixture.ts";
import { botUserId, channelIdOf, userIdOf } from "./slack-ids.ts";

const channel = channelIdOf("general");

describe("faults", () => {
  test("rate limit: the client waits as requested, then continues", () =>
    withSimulator({}, async (simulator) => {
      const client = createSlackClient(simulator, undefined, 2);
      const waits: unknown[] = [];
      client.on(WebClientEvent.RATE_LIMITED, (seconds: unknown) => waits.push(seconds));
      simulator.faults.add({
        method: "slack.conversations.history",
        kind: "status",
        status: 429,
        retryAfterSeconds: 1,
      });
      const startedAt = performance.now();
      expect((await client.conversations.history({ channel, limit: 1 })).ok).toBe(true);
      expect(performance.now() - startedAt).toBeGreaterThan(990);
      expect(waits).toEqual([1]);
      expect(simulator.record().calls.map(({ method, status }) => ({ method, status }))).toEqual([
        { method: "slack.conversations.history", status: 429 },
        { method: "slack.conversations.history", status: 200 },
      ]);
    }));

  test.each([
    ["status", "before", 0],
    ["status", "after", 1],
    ["cut", "before", 0],
    ["cut", "after", 1],
  ] as const)("a %s %s the effect leaves %s messages posted", (kind, when, count) =>
    withSimulator({}, async (simulator) => {
      simulator.faults.add({ method: "slack.chat.postMessage", kind, when, status: 503 });
      await expect(
        createSlackClient(simulator).chat.postMessage({ channel, text: "Once" }),
      ).rejects.toThrow(/error occurred/);
      expect(simulator.record().posted).toHaveLength(count);
      expect(simulator.record().calls).toMatchObject([
        { method: "slack.chat.postMessage", account: "bron", fault: expect.stringContaining(when) },
      ]);
    }),
  );

  test("errors inside a 200 keep their status", () =>
    withSimulator({}, async (simulator) => {
      simulator.faults.add({ method: "slack.*", kind: "status", status: 401 });
      expect((await slackRefusal(createSlackClient(simulator).auth.test())).error).toBe(
        "invalid_auth",
      );
    }));

  test("a slow call responds in the end", () =>
    withSimulator({}, async (simulator) => {
      simulator.faults.add({ method: "slack.auth.test", kind: "slow", ms: 120 });
      const startedAt = performance.now();
      await createSlackClient(simulator).auth.test();
      expect(performance.now() - startedAt).toBeGreaterThan(110);
    }));
});

describe("sign-in", () => {
  test("shows workspace and permissions, and gives a token for the code, once", () =>
    withSimulator({}, async (simulator) => {
      const { page, redirect, code } = await slackConsent(simulator, {
        scope: "channels:read,chat:write",
        userScope: "users:read",
      });
      for (const words of [
        "simulated Slack",
        "Lindqvist Cargo",
        "Send messages",
        "channels:read",
        "as you",
        "View people",
      ])
        expect(page).toContain(words);
      expect(redirect.searchParams.get("state")).toBe("state-1");
      const client = createSlackClient(simulator, "");
      const exchange = {
        code,
        client_id: simulator.slackClientId,
        client_secret: simulator.slackClientSecret,
        redirect_uri: slackRedirect,
      };
      const response = await client.oauth.v2.access(exchange);
      expect(response).toMatchObject({
        ok: true,
        token_type: "bot",
        scope: "channels:read,chat:write",
        bot_user_id: botUserId,
        app_id: expect.stringMatching(/^A/),
        team: { name: "Lindqvist Cargo" },
        access_token: expect.stringMatching(/^xoxb-/),
        authed_user: {
          id: userIdOf("mara@lindqvist.example"),
          scope: "users:read",
          access_token: expect.stringMatching(/^xoxp-/),
        },
      });
      expect(
        await createSlackClient(simulator, response.authed_user?.access_token).auth.test(),
      ).toMatchObject({ user: "mara" });
      expect((await slackRefusal(client.oauth.v2.access(exchange))).error).toBe("invalid_code");
    }));

  test("accepts Basic client authentication", () =>
    withSimulator({}, async (simulator) => {
      const { code } = await slackConsent(simulator);
      const authorization = `Basic ${Buffer.from(`${simulator.slackClientId}:${simulator.slackClientSecret}`).toString("base64")}`;
      const response = await fetch(`${simulator.slackEndpoints.apiUrl}oauth.v2.access`, {
        method: "POST",
        headers: { authorization },
        body: new URLSearchParams({ code, redirect_uri: slackRedirect }),
      });
      expect((await response.json()) as unknown).toMatchObject({ ok: true, token_type: "bot" });
    }));

  test("can be canceled", () =>
    withSimulator({}, async (simulator) =>
      expect(
        (await slackConsent(simulator, { decision: "deny" })).redirect.searchParams.get("error"),
      ).toBe("access_denied"),
    ));

  test.each([
    ["invalid_client_id", { client_id: "1.2" }],
    ["bad_client_secret", { client_secret: "wrong" }],
    ["bad_redirect_uri", { redirect_uri: "http://127.0.0.1:9/other" }],
    ["invalid_code", { code: "wrong" }],
  ])("refuses with %s", (error, change) =>
    withSimulator({}, async (simulator) => {
      const { code } = await slackConsent(simulator);
      expect(
        (
          await slackRefusal(
            createSlackClient(simulator, "").oauth.v2.access({
              code,
              client_id: simulator.slackClientId,
              client_secret: simulator.slackClientSecret,
              redirect_uri: slackRedirect,
              ...change,
            }),
          )
        ).error,
      ).toBe(error);
    }),
  );

  test("a code is good for ten minutes", () => {
    let time = Date.now();
    return withSimulator({ now: () => new Date(time) }, async (simulator) => {
      const { code } = await slackConsent(simulator);
      time += 600_000;
      expect(
        (
          await slackRefusal(
            createSlackClient(simulator, "").oauth.v2.access({
              code,
              client_id: simulator.slackClientId,
              client_secret: simulator.slackClientSecret,
              redirect_uri: slackRedirect,
            }),
          )
        ).error,
      ).toBe("invalid_code");
    });
  });

  test("with a challenge requires its verifier", () =>
    withSimulator({}, async (simulator) => {
      const verifier = "a-verifier-that-is-long-enough-to-be-one-0123456789";
      const more = {
        code_challenge: createHash("sha256").update(verifier).digest("base64url"),
        code_challenge_method: "S256",
      };
      const redeem = async (codeVerifier: string) => {
        const { code } = await slackConsent(simulator, { more });
        const body = new URLSearchParams({
          code,
          code_verifier: codeVerifier,
          client_id: simulator.slackClientId,
          client_secret: simulator.slackClientSecret,
          redirect_uri: slackRedirect,
        });
        return (
          await fetch(`${simulator.slackEndpoints.apiUrl}oauth.v2.access`, { method: "POST", body })
        ).json();
      };
      expect(await redeem("wrong")).toMatchObject({ ok: false });
      expect(await redeem(verifier)).toMatchObject({ ok: true });
    }));

  test.each([
    [{ client_id: "other" }, "invalid_client_id"],
    [{ redirect_uri: "https://elsewhere.example/" }, "redirect_uri did not match"],
    [{ scope: "admin" }, "Invalid permissions requested: admin"],
    [{ scope: "" }, "No scopes requested"],
  ])("does not show the page for %j", (change, words) =>
    withSimulator({}, async (simulator) => {
      const query = new URLSearchParams({
        client_id: simulator.slackClientId,
        scope: "channels:read",
        redirect_uri: slackRedirect,
        ...change,
      });
      const response = await fetch(`${simulator.slackEndpoints.authorizeUrl}?${query}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain(words);
    }),
  );

  test("adds scopes to an earlier install", () =>
    withSimulator({}, async (simulator) => {
      await installSlack(simulator, "channels:read");
      const response = await (await installSlack(simulator, "users:read")).auth.test();
      expect(response.response_metadata?.scopes).toEqual(["channels:read", "users:read"]);
    }));
});

describe("token rotation", () => {
  test("issues expiring tokens and renews each once with a single-use refresh token", () => {
    let time = Date.now();
    return withSimulator({ now: () => new Date(time) }, async (simulator) => {
      const app = {
        client_id: simulator.slackClientId,
        client_secret: simulator.slackClientSecret,
      };
      const client = createSlackClient(simulator, "");
      const renew = (refreshToken: string | undefined) =>
        client.oauth.v2.access({
          ...app,
          grant_type: "refresh_token",
          refresh_token: refreshToken ?? "",
        });
      expect((await slackRefusal(renew("xoxe-1-none"))).error).toBe("token_rotation_not_enabled");
      simulator.slackControl.rotateTokens(43_200);
      const { code } = await slackConsent(simulator, {
        scope: "channels:read",
        userScope: "users:read",
      });
      const first = await client.oauth.v2.access({ ...app, code, redirect_uri: slackRedirect });
      expect(first).toMatchObject({
        access_token: expect.stringMatching(/^xoxe\.xoxb-/),
        refresh_token: expect.stringMatching(/^xoxe-1-/),
        expires_in: 43_200,
        authed_user: { refresh_token: expect.any(String), expires_in: 43_200 },
      });
      time += 43_200_000;
      expect(
        (await slackRefusal(createSlackClient(simulator, first.access_token).auth.test())).error,
      ).toBe("token_expired");
      const second = await renew(first.refresh_token);
      expect(second).toMatchObject({
        scope: "channels:read",
        token_type: "bot",
        expires_in: 43_200,
        team: { name: "Lindqvist Cargo" },
      });
      expect(await createSlackClient(simulator, second.access_token).auth.test()).toMatchObject({
        user: "bron",
      });
      expect((await slackRefusal(renew(first.refresh_token))).error).toBe("invalid_refresh_token");
      expect(await renew(first.authed_user?.refresh_token)).toMatchObject({
        token_type: "user",
        access_token: expect.stringMatching(/^xoxe\.xoxp-/),
      });
      simulator.slackControl.revoke(second.access_token);
      expect((await slackRefusal(renew(second.refresh_token))).error).toBe("invalid_refresh_token");
      expect(
        (await slackRefusal(client.apiCall("oauth.v2.access", { ...app, grant_type: "password" })))
          .error,
      ).toBe("invalid_grant_type");
    });
  });
});

describe("control from another process", () => {
  test("posts as others, plants hostile items and revokes tokens", () =>
    withSimulator({ controlKey: "key" }, async (simulator) => {
      const control = async (name: string, body: unknown) => {
        const response = await fetch(`${simulator.url}/_control/${name}`, {
          method: "POST",
          headers: { "x-control-key": "key" },
          body: JSON.stringify(body),
        });
        return { status: response.status, body: (await response.json()) as unknown };
      };
      const client = createSlackClient(simulator);
      const newest = async () =>
        (await client.conversations.history({ channel, limit: 1 })).messages;
      const posted = await control("slack/post", {
        channel: "general",
        from: "dana@lindqvist.example",
        text: "From elsewhere",
      });
      expect(await newest()).toMatchObject([
        {
          ...Object(posted.body),
          user: userIdOf("dana@lindqvist.example"),
          text: "From elsewhere",
        },
      ]);
      expect(await control("hostile/plant", { id: "slack-policy" })).toMatchObject({
        status: 200,
        body: { slack: { channel: "general" } },
      });
      expect(await newest()).toMatchObject([
        { subtype: "bot_message", username: "Mara Lindqvist" },
      ]);
      expect(await control("hostile/plant", { id: "nothing" })).toMatchObject({ status: 400 });
      expect(
        await control("slack/post", { channel: "nowhere", from: "x", text: "x" }),
      ).toMatchObject({ status: 400 });
      expect(simulator.record().posted).toEqual([]);
      await control("slack/revoke", {});
      expect((await slackRefusal(client.auth.test())).error).toBe("token_revoked");
    }));
});

describe("a simulator with a folder", () => {
  test("remembers tokens, revocations, what was posted and joined; a reset forgets them", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bron-slack-"));
    try {
      const before = await withSimulator({ folder }, async (simulator) => {
        const client = createSlackClient(simulator);
        const kept = await installSlack(simulator, "channels:read,channels:history");
        const gone = await installSlack(simulator, "channels:read");
        await gone.auth.revoke();
        await client.conversations.join({ channel: channelIdOf("random") });
        await client.chat.postMessage({ channel, text: "Kept" });
        await client.conversations.history({ channel });
        return {
          secret: simulator.slackClientSecret,
          bot: simulator.slackBotToken,
          kept: kept.token,
          gone: gone.token,
          posted: simulator.record().posted,
          messages: (await client.conversations.history({ channel })).messages,
        };
      });
      await withSimulator({ folder }, async (simulator) => {
        expect([simulator.slackClientSecret, simulator.slackBotToken]).toEqual([
          before.secret,
          before.bot,
        ]);
        expect(simulator.record().posted).toEqual(before.posted);
        expect(simulator.record().calls.map(({ method }) => method)).not.toContain(
          "slack.conversations.history",
        );
        expect(
          (await createSlackClient(simulator, before.kept).conversations.history({ channel }))
            .messages,
        ).toEqual(before.messages);
        expect(
          (await slackRefusal(createSlackClient(simulator, before.gone).auth.test())).error,
        ).toBe("token_revoked");
        expect(
          (
            await createSlackClient(simulator).conversations.info({
              channel: channelIdOf("random"),
            })
          ).channel?.is_member,
        ).toBe(true);
        simulator.reset();
        expect(simulator.record().posted).toEqual([]);
        expect(
          (await slackRefusal(createSlackClient(simulator, before.kept).auth.test())).error,
        ).toBe("invalid_auth");
        expect((await createSlackClient(simulator).auth.test()).ok).toBe(true);
      });
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

  test("has no token in its record", () =>
    withSimulator({}, async (simulator) => {
      const query = new URLSearchParams({
        token: simulator.slackBotToken,
        client_secret: simulator.slackClientSecret,
      });
      await fetch(`${simulator.slackEndpoints.apiUrl}auth.test?${query}`);
      await createSlackClient(simulator).auth.test();
      expect(JSON.stringify(simulator.record())).not.toMatch(
        new RegExp(`${simulator.slackBotToken}|${simulator.slackClientSecret}`),
      );
    }));
});
