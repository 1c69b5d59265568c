import { sampleCount } from "@bron/testing";
import { createHash } from "node:crypto";
import { BronError } from "@bron/core";
import fc from "fast-check";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { cardsOf, outputsOf } from "./support/mail-harness.ts";
import { openSignInHarness, redirectUri, type SignInHarness } from "./support/sign-in-harness.ts";

const minutes = 60_000;

describe("signing in to Google", () => {
  let harness: SignInHarness;
  beforeAll(async () => {
    // Searches once, then says so.
    harness = await openSignInHarness(inject("postgresUrl"), ({ options }) =>
      options.prompt.at(-1)?.role === "tool"
        ? { text: "Found." }
        : { calls: [{ tool: "gmail_search", input: { query: "subject:invoice", maxResults: 2 } }] },
    );
  });
  afterAll(async () => await harness.close());
  const finish = (back: { state: string; code: string; redirectUri: string }) =>
    harness.runtime.connections.finishSignIn("google", back);
  const refused = (pattern: RegExp) =>
    expect.objectContaining({
      code: "forbidden",
      message: expect.stringMatching(pattern) as string,
    });

  it("BR20 BR26 connects the account that consented, with every scope explained", async () => {
    expect(await finish(await harness.consent("anna"))).toMatchObject({
      ownerId: "anna",
      account: harness.simulator.accounts[0]?.address,
    });
    const [google] = (await harness.runtime.clientFor("anna").call("GET /api/connections"))
      .connections;
    expect(google).toMatchObject({
      provider: "google",
      account: harness.simulator.accounts[0]?.address,
    });
    for (const { why, granted } of google?.scopes ?? [])
      expect({ granted, isExplained: why.length > 10 }).toEqual({
        granted: true,
        isExplained: true,
      });
    expect(await harness.accountOf("somebody else")).toBeNull();
  });

  it("BR20 changes nothing when consent is denied", async () => {
    const { redirect: response, code } = await harness.consent("denier", { decision: "deny" });
    expect(response.searchParams.get("error")).toBe("access_denied");
    expect(code).toBe("");
    expect(await harness.accountOf("denier")).toBeNull();
    const run = await harness.runUntilParked("denier", "find it");
    expect(run.status).toBe("awaiting_auth");
  });

  it("BR20 refuses a forged state before it calls Google: any change to any part of it", async () => {
    const back = await harness.consent("forger");
    const [content = "", signature = ""] = back.state.split(".");
    const forOther = Buffer.from(
      JSON.stringify([
        "victim",
        ...(JSON.parse(Buffer.from(content, "base64url").toString()) as unknown[]).slice(1),
      ]),
    ).toString("base64url");
    const forged = fc.oneof(
      fc.string(),
      fc.constant(`${forOther}.${signature}`),
      fc.constant(`.${signature}`),
      fc.constant(content),
      fc
        .tuple(
          fc.nat({ max: back.state.length - 1 }),
          fc.constantFrom("a", "b", "X", "Y", "0", "9", "-", "_", "."),
        )
        .filter(([at, character]) => back.state[at] !== character)
        .map(
          ([at, character]) => `${back.state.slice(0, at)}${character}${back.state.slice(at + 1)}`,
        ),
    );
    const calls = await harness.callsDuring(async () => {
      await fc.assert(
        fc.asyncProperty(forged, async (state) => {
          await expect(finish({ ...back, state })).rejects.toEqual(refused(/wasn't started here/));
        }),
        { numRuns: sampleCount(500) },
      );
    });
    expect(calls).toEqual([]);
    expect(await harness.accountOf("victim")).toBeNull();
    // None of those attempts used up the valid state.
    await finish(back);
    expect(await harness.accountOf("forger")).not.toBeNull();
  });

  it("BR20 accepts a state once, even if it arrives twice at the same time", async () => {
    const back = await harness.consent("replayer");
    const ends = await Promise.allSettled([finish(back), finish(back), finish(back)]);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const { code } = await harness.consent("replayer");
    await expect(finish({ ...back, code })).rejects.toEqual(refused(/already used/));
  });

  it("BR20 refuses a state after ten minutes", async () => {
    const back = await harness.consent("late");
    harness.setClockOffset(10 * minutes);
    await expect(finish(back))
      .rejects.toEqual(refused(/timed out/))
      .finally(() => harness.setClockOffset(0));
    expect(await harness.accountOf("late")).toBeNull();
  });

  it("BR20 refuses a code of another sign-in, because the verifier is bound to the state", async () => {
    const [mine, theirs] = [await harness.consent("mine"), await harness.consent("theirs")];
    await expect(finish({ ...theirs, state: mine.state })).rejects.toEqual(
      refused(/code verifier/i),
    );
    expect([await harness.accountOf("mine"), await harness.accountOf("theirs")]).toEqual([
      null,
      null,
    ]);
  });

  it("BR20 uses a PKCE challenge that makes a stolen code worthless", async () => {
    const { url } = await harness.runtime.connections.startSignIn("pkce", "google", redirectUri);
    const query = new URL(url).searchParams;
    expect(query.get("code_challenge_method")).toBe("S256");
    const seen = [
      query.get("state") ?? "",
      ...(query.get("state") ?? "").split("."),
      ...(
        JSON.parse(
          Buffer.from((query.get("state") ?? "").split(".")[0] ?? "", "base64url").toString(),
        ) as unknown[]
      ).map(String),
    ];
    for (const text of seen)
      expect(createHash("sha256").update(text).digest("base64url")).not.toBe(
        query.get("code_challenge"),
      );
    const { code } = await harness.consent("pkce");
    const { clientId, clientSecret, googleEndpoints } = harness.simulator;
    for (const verifier of [{}, { code_verifier: seen[0] ?? "" }]) {
      const stolen = await fetch(googleEndpoints.tokenUrl, {
        method: "POST",
        body: new URLSearchParams({
          grant_type: "authorization_code",
          code,
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uri: redirectUri,
          ...verifier,
        }),
      });
      expect(stolen.status).toBe(400);
    }
  });

  it("BR20 says that Gmail was never connected, and continues every run of the owner once it is", async () => {
    const runs = await Promise.all(
      ["one", "two", "three"].map((prompt) => harness.runUntilParked("waiter", prompt)),
    );
    const other = await harness.runUntilParked("other waiter", "four");
    for (const { status, id } of runs) {
      expect(status).toBe("awaiting_auth");
      const events = await harness.events("waiter", id);
      expect(events.find(({ type }) => type === "auth")).toMatchObject({
        payload: {
          state: "needed",
          provider: "google",
          why: { code: "not_connected", service: "Google" },
        },
      });
      expect(cardsOf(events)).toContain("ReconnectCard");
    }
    await harness.connect("waiter");
    for (const { id } of runs) {
      expect(await harness.waitUntilParked("waiter", id)).toMatchObject({ status: "completed" });
      expect(outputsOf(await harness.events("waiter", id), "gmail_search")).toMatchObject([
        { found: 2 },
      ]);
    }
    expect(
      await harness.runtime
        .clientFor("other waiter")
        .call("GET /api/runs/:id", { params: { id: other.id } }),
    ).toMatchObject({
      status: "awaiting_auth",
    });
  });

  it("BR20 refreshes a token two minutes before it expires, and not earlier", async () => {
    await harness.connect("early");
    const { expiresAt } = (await harness.grantOf("early")) ?? { expiresAt: 0 };
    const refreshes = async (secondsLeft: number) => {
      harness.setClockOffset(expiresAt - Date.now() - secondsLeft * 1_000);
      const calls = await harness.callsDuring(async () =>
        expect(await harness.runUntilParked("early", "find it")).toMatchObject({
          status: "completed",
        }),
      );
      harness.setClockOffset(0);
      return calls.filter((call) => call.startsWith("oauth.token"));
    };
    expect(await refreshes(130)).toEqual([]);
    expect((await refreshes(115)).length).toBeGreaterThanOrEqual(1);
  });

  it("BR20 refreshes once after a 401 and retries once", async () => {
    await harness.connect("expired");
    harness.simulator.control.expireAccessTokens();
    const calls = await harness.callsDuring(async () =>
      expect(await harness.runUntilParked("expired", "find it")).toMatchObject({
        status: "completed",
      }),
    );
    expect(calls.slice(0, 3)).toEqual([
      "gmail.users.messages.list 401",
      "oauth.token 200",
      "gmail.users.messages.list 200",
    ]);
    expect(calls.filter((call) => call.startsWith("oauth.token"))).toHaveLength(1);
  });

  it("BR20 parks when a fresh token is refused too, and continues when the account is connected again", async () => {
    await harness.connect("refused");
    harness.simulator.faults.add({
      method: "gmail.users.messages.list",
      kind: "status",
      status: 401,
      times: 2,
    });
    let run = await harness.runUntilParked("refused", "find it");
    expect(run.status).toBe("awaiting_auth");
    expect(cardsOf(await harness.events("refused", run.id))).toContain("ReconnectCard");
    harness.simulator.control.revoke();
    await harness.connect("refused");
    run = await harness.waitUntilParked("refused", run.id);
    expect(run.status).toBe("completed");
  });

  it("BR20 parks when the owner revoked the permission at Google", async () => {
    await harness.connect("revoked");
    harness.simulator.control.revoke();
    const run = await harness.runUntilParked("revoked", "find it");
    expect(run.status).toBe("awaiting_auth");
    expect(
      (await harness.events("revoked", run.id)).find(({ type }) => type === "auth"),
    ).toMatchObject({
      payload: { why: { code: "connection_rejected", message: "invalid_grant" } },
    });
    await harness.connect("revoked");
    expect(await harness.waitUntilParked("revoked", run.id)).toMatchObject({ status: "completed" });
  });

  it("BR20 deletes the tokens on disconnect, and revokes the permission at Google", async () => {
    await harness.connect("leaver");
    const grant = await harness.grantOf("leaver");
    const calls = await harness.callsDuring(() =>
      harness.runtime
        .clientFor("leaver")
        .call("POST /api/connections/:provider/disconnect", { params: { provider: "google" } }),
    );
    expect(calls).toEqual(["oauth.revoke 200"]);
    expect(await harness.accountOf("leaver")).toBeNull();
    expect(await harness.grantOf("leaver")).toBeUndefined();
    const response = await fetch(
      `${harness.simulator.googleEndpoints.rootUrl}gmail/v1/users/me/profile`,
      {
        headers: { authorization: `Bearer ${grant?.accessToken ?? ""}` },
      },
    );
    expect(response.status).toBe(401);
    expect(await harness.runUntilParked("leaver", "find it")).toMatchObject({
      status: "awaiting_auth",
    });
  });

  it("BR20 deletes the tokens on disconnect even if Google cannot be reached", async () => {
    await harness.connect("offline");
    harness.simulator.faults.add({ method: "oauth.revoke", kind: "cut" });
    await harness.runtime
      .clientFor("offline")
      .call("POST /api/connections/:provider/disconnect", { params: { provider: "google" } });
    expect(await harness.accountOf("offline")).toBeNull();
  });

  it("BR20 stays disconnected when a refresh was in progress", async () => {
    const client = harness.runtime.clientFor("racer");
    await harness.connect("racer");
    harness.simulator.control.expireAccessTokens();
    harness.simulator.faults.add({ method: "oauth.token", kind: "slow", when: "after", ms: 400 });
    const run = await client.call("POST /api/runs", { body: { prompt: "find it" } });
    await expect
      .poll(() => harness.simulator.record().calls.at(-1)?.method, { timeout: 5_000, interval: 5 })
      .toBe("oauth.token");
    await client.call("POST /api/connections/:provider/disconnect", {
      params: { provider: "google" },
    });
    await harness.waitUntilParked("racer", run.id);
    expect(await harness.accountOf("racer")).toBeNull();
    expect(await harness.grantOf("racer")).toBeUndefined();
  });

  it("BR20 keeps the account that was connected during a refresh of another account", async () => {
    const [first, second] = harness.simulator.accounts;
    await harness.connect("changer", first?.address);
    harness.simulator.control.expireAccessTokens();
    harness.simulator.faults.add({ method: "oauth.token", kind: "slow", when: "after", ms: 400 });
    const run = await harness.runtime
      .clientFor("changer")
      .call("POST /api/runs", { body: { prompt: "find it" } });
    await expect
      .poll(() => harness.simulator.record().calls.at(-1)?.method, { timeout: 5_000, interval: 5 })
      .toBe("oauth.token");
    await harness.connect("changer", second?.address);
    await harness.waitUntilParked("changer", run.id);
    expect(await harness.accountOf("changer")).toBe(second?.address);
  });

  it("BR20 keeps tokens encrypted in their table, and nowhere else in the database", async () => {
    await harness.connect("keeper");
    harness.simulator.control.expireAccessTokens();
    await harness.runUntilParked("keeper", "find it");
    const { accessToken = "", refreshToken = "" } = (await harness.grantOf("keeper")) ?? {};
    expect([accessToken.length, refreshToken.length].every((length) => length > 20)).toBe(true);
    const client = new pg.Client({ connectionString: harness.databaseUrl });
    await client.connect();
    try {
      const { rows: tables } = await client.query<{ name: string }>(
        "select format('%I.%I', table_schema, table_name) as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')",
      );
      let kept = 0;
      for (const { name } of tables) {
        const { rows } = await client.query<{ text: string }>(
          `select t::text as text from ${name} t`,
        );
        for (const { text } of rows) {
          expect({
            name,
            isOpen: text.includes(accessToken) || text.includes(refreshToken),
          }).toEqual({ name, isOpen: false });
          if (name === "public.oauth_tokens" && text.includes("keeper")) kept++;
        }
      }
      expect(kept).toBe(1);
    } finally {
      await client.end();
    }
  });

  it("BR20 responds only for existing providers", async () => {
    await expect(
      harness.runtime.connections.startSignIn("anna", "elsewhere", redirectUri),
    ).rejects.toSatisfy((error) => BronError.is(error, "not_found"));
  });
});
