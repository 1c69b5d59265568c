import { describe, expect, test } from "vitest";
import {
  consent,
  createClient,
  failureOf,
  modifyScope,
  redirectUri,
  signIn,
  withSimulator,
} from "../google-client.fixture.ts";

const sendScope = "https://www.googleapis.com/auth/gmail.send";

describe("the consent page", () => {
  test("shows the app, the accounts, the scopes and a demo notice", () =>
    withSimulator({}, async (simulator) => {
      const { page } = await consent(simulator, createClient(simulator), {
        scopes: [modifyScope, "email"],
      });
      for (const words of [
        "Bron wants to access",
        "mara@lindqvist.example",
        "jonas@lindqvist.example",
        "Read, compose, and send emails",
        "primary Google Account email address",
        ">Allow<",
        ">Deny<",
        "simulated Google",
      ])
        expect(page).toContain(words);
    }));

  test("returns the state with a code or with access_denied", () =>
    withSimulator({}, async (simulator) => {
      const allowed = await consent(simulator, createClient(simulator));
      expect(allowed.redirect.origin + allowed.redirect.pathname).toBe(redirectUri);
      expect(allowed.redirect.searchParams.get("state")).toBe("state-1");
      expect(allowed.redirect.searchParams.get("code")).toMatch(/^4\//);
      const denied = await consent(simulator, createClient(simulator), { decision: "deny" });
      expect(Object.fromEntries(denied.redirect.searchParams)).toEqual({
        error: "access_denied",
        state: "state-1",
      });
    }));

  const challenge = "a".repeat(43);
  test.each([
    ["another client", { client_id: "x" }, "invalid_client"],
    [
      "a redirect that leaves the machine",
      { redirect_uri: "http://evil.example/" },
      "redirect_uri_mismatch",
    ],
    [
      "a redirect that only begins like loopback",
      { redirect_uri: "http://127.0.0.1@evil.example/" },
      "redirect_uri_mismatch",
    ],
    ["no PKCE", { code_challenge: "" }, "S256"],
    ["plain PKCE", { code_challenge_method: "plain" }, "S256"],
    ["an unknown scope", { scope: "https://www.googleapis.com/auth/everything" }, "invalid_scope"],
    ["no scope", { scope: "" }, "scope"],
    ["a token as answer", { response_type: "token" }, "unsupported_response_type"],
  ])("refuses %s on an error page", (_name, change, words) =>
    withSimulator({}, async (simulator) => {
      const query = new URLSearchParams({
        client_id: simulator.clientId,
        redirect_uri: redirectUri,
        response_type: "code",
        scope: modifyScope,
        code_challenge: challenge,
        code_challenge_method: "S256",
        ...change,
      });
      const answer = await fetch(`${simulator.googleEndpoints.authUrl}?${query}`, {
        redirect: "manual",
      });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain(words);
    }),
  );

  test("can be used once", () =>
    withSimulator({}, async (simulator) => {
      const { page } = await consent(simulator, createClient(simulator));
      const form = new URLSearchParams({
        request: /name="request" value="([^"]+)"/.exec(page)?.[1] ?? "",
        account: "mara@lindqvist.example",
        decision: "allow",
      });
      const again = await fetch(simulator.googleEndpoints.authUrl, {
        method: "POST",
        body: form,
        redirect: "manual",
      });
      expect(again.status).toBe(400);
    }));
});

describe("tokens", () => {
  test("accepts a code once and only with its verifier", () =>
    withSimulator({}, async (simulator) => {
      const client = createClient(simulator);
      const first = await consent(simulator, client);
      const code = first.redirect.searchParams.get("code") ?? "";
      const { tokens } = await client.getToken({ code, codeVerifier: first.codeVerifier });
      expect(tokens).toMatchObject({
        token_type: "Bearer",
        scope: modifyScope,
        access_token: expect.stringMatching(/^ya29\./),
        refresh_token: expect.stringMatching(/^1\/\//),
      });
      expect(
        (await failureOf(client.getToken({ code, codeVerifier: first.codeVerifier }))).response
          ?.data.error,
      ).toBe("invalid_grant");

      const second = await consent(simulator, client);
      const wrong = await failureOf(
        client.getToken({
          code: second.redirect.searchParams.get("code") ?? "",
          codeVerifier: "wrong",
        }),
      );
      expect(wrong.response?.data.error).toBe("invalid_grant");
    }));

  test("issues a refresh token at the first consent only, unless consent is forced", () =>
    withSimulator({}, async (simulator) => {
      const first = await signIn(simulator, { prompt: "" });
      expect(first.auth.credentials.refresh_token).toBeTruthy();
      expect(
        (await signIn(simulator, { prompt: "" })).auth.credentials.refresh_token,
      ).toBeUndefined();
      expect(
        (await signIn(simulator, { prompt: "consent" })).auth.credentials.refresh_token,
      ).toBeTruthy();
    }));

  test("expire and are refreshed", () => {
    let now = Date.now();
    return withSimulator({ now: () => new Date(now) }, async (simulator) => {
      const { auth, gmail } = await signIn(simulator);
      now += 3_600_000;
      const refused = await failureOf(gmail.users.getProfile({ userId: "me" }));
      expect(refused.response?.data.error).toMatchObject({
        code: 401,
        status: "UNAUTHENTICATED",
        errors: [{ reason: "authError" }],
      });
      await auth.refreshAccessToken();
      expect((await gmail.users.getProfile({ userId: "me" })).data.emailAddress).toBe(
        "mara@lindqvist.example",
      );
    });
  });

  test("that expire early are refreshed by the client if configured", () =>
    withSimulator({}, async (simulator) => {
      const { auth, gmail } = await signIn(simulator);
      simulator.control.expireAccessTokens();
      expect((await failureOf(gmail.users.getProfile({ userId: "me" }))).response?.status).toBe(
        401,
      );
      auth.forceRefreshOnFailure = true;
      expect((await gmail.users.getProfile({ userId: "me" })).status).toBe(200);
    }));

  test("end with revocation, which accepts the token in the query", () =>
    withSimulator({}, async (simulator) => {
      const { auth, gmail } = await signIn(simulator);
      await auth.revokeToken(auth.credentials.refresh_token ?? "");
      expect((await failureOf(gmail.users.getProfile({ userId: "me" }))).response?.status).toBe(
        401,
      );
      expect((await failureOf(auth.refreshAccessToken())).response?.data.error).toBe(
        "invalid_grant",
      );
      expect((await failureOf(auth.revokeToken("unknown"))).response?.data.error).toBe(
        "invalid_token",
      );
      expect(JSON.stringify(simulator.record())).not.toContain(auth.credentials.refresh_token);
    }));

  test("identify their account", () =>
    withSimulator({}, async (simulator) => {
      const { auth } = await signIn(simulator, {
        account: "jonas@lindqvist.example",
        scopes: [modifyScope, "email"],
      });
      const info = await auth.getTokenInfo(auth.credentials.access_token ?? "");
      expect(info).toMatchObject({
        email: "jonas@lindqvist.example",
        aud: simulator.clientId,
        scopes: [modifyScope, "email"],
      });
      const user = await auth.request({ url: simulator.googleEndpoints.userInfoUrl });
      expect(user.data).toMatchObject({
        email: "jonas@lindqvist.example",
        name: "Jonas Keller",
        email_verified: true,
      });
    }));

  test("a wrong client secret is refused", () =>
    withSimulator({}, async (simulator) => {
      const client = createClient({ ...simulator, clientSecret: "wrong" });
      const { redirect, codeVerifier } = await consent(simulator, client);
      expect(
        (
          await failureOf(
            client.getToken({ code: redirect.searchParams.get("code") ?? "", codeVerifier }),
          )
        ).response?.status,
      ).toBe(401);
    }));
});

describe("scopes", () => {
  test("can be deselected by the user; selecting none is a denial", () =>
    withSimulator({}, async (simulator) => {
      const readScope = "https://www.googleapis.com/auth/gmail.readonly";
      const { auth } = await signIn(simulator, {
        scopes: [readScope, sendScope],
        granted: [readScope],
      });
      expect(auth.credentials.scope).toBe(readScope);
      const { page, redirect } = await consent(simulator, auth, {
        scopes: [readScope, sendScope],
        granted: [],
      });
      expect(page.match(/type="checkbox"/g)).toHaveLength(2);
      expect(redirect.searchParams.get("error")).toBe("access_denied");
    }));

  test("limit what a token may do, with Google's errors", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator, { scopes: [sendScope] });
      const refused = await failureOf(gmail.users.messages.list({ userId: "me" }));
      expect(refused.response?.data.error).toMatchObject({
        code: 403,
        status: "PERMISSION_DENIED",
        errors: [{ reason: "insufficientPermissions" }],
        details: [{ reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }],
      });
      expect(refused.response?.headers.get("www-authenticate")).toContain("insufficient_scope");
    }));

  test("metadata shows headers, but no body and no search", () =>
    withSimulator({}, async (simulator) => {
      const { gmail } = await signIn(simulator, {
        scopes: ["https://www.googleapis.com/auth/gmail.metadata"],
      });
      const id = (await gmail.users.messages.list({ userId: "me" })).data.messages?.[0]?.id ?? "";
      expect(
        (await gmail.users.messages.get({ userId: "me", id, format: "metadata" })).data.payload
          ?.headers?.length,
      ).toBeGreaterThan(0);
      expect(
        (await failureOf(gmail.users.messages.get({ userId: "me", id }))).response?.status,
      ).toBe(403);
      expect(
        (await failureOf(gmail.users.messages.list({ userId: "me", q: "a" }))).response?.status,
      ).toBe(403);
    }));
});
