import { createServer, type BronServer } from "@bron/server";
import { openDatabase, postgresApiTokens, postgresSessions, type OpenDatabase } from "@bron/store";
import { scriptedLanguageModel } from "@bron/testing";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import type { Connector } from "@bron/core";
import { randomUUID, subtle, type webcrypto } from "node:crypto";
import { createServer as createHttpServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { certificateOf } from "../support/http/certificate.ts";
import { ask, json, type TestRequest } from "../support/http/ask.ts";
import { noServerLimits } from "../support/http/no-server-limits.ts";
import { readStream } from "../support/http/read-stream.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

const project = "my-project";
const seconds = () => Math.floor(Date.now() / 1_000);

const finished: string[] = [];
/** The page where each sign-in began. */
const began = new Map<string, string>();
/** A provider whose state can be used once, like that of a real provider. */
const connector: Connector = {
  provider: "google",
  scopes: [],
  tools: [],
  startSignIn({ ownerId, returnTo = "" }) {
    const state = `${ownerId}-${randomUUID()}`;
    began.set(state, returnTo);
    return Promise.resolve({ url: `https://accounts.example/consent?state=${state}` });
  },
  returnPathOf: (state) => began.get(state),
  finishSignIn({ state }) {
    finished.push(state);
    return Promise.resolve({ ownerId: "firebase:max", account: "someone@example.com" });
  },
  status: () => Promise.resolve(undefined),
  disconnect: () => Promise.resolve(),
};

/**
 * Browsers sign in by a link or by Firebase cookies, and programs by tokens. HTTP and the database
 * are real, and the keys are generated here.
 */
describe("signing in", () => {
  let database: TestDatabase;
  let runtime: PostgresRuntime;
  /** Another server writes through these connections. */
  let elsewhere: OpenDatabase;
  let server: BronServer;
  let keys: Server;
  let key: webcrypto.CryptoKey;
  beforeAll(async () => {
    const pair = await subtle.generateKey(
      {
        name: "RSASSA-PKCS1-v1_5",
        modulusLength: 2_048,
        publicExponent: new Uint8Array([1, 0, 1]),
        hash: "SHA-256",
      },
      true,
      ["sign", "verify"],
    );
    key = pair.privateKey;
    const published = JSON.stringify({ one: await certificateOf(pair.privateKey, pair.publicKey) });
    keys = createHttpServer((_, response) =>
      response.writeHead(200, { "content-type": "application/json" }).end(published),
    );
    await new Promise<void>((resolve) => keys.listen(0, "127.0.0.1", resolve));
    database = await createTestDatabase(inject("postgresUrl"));
    elsewhere = await openDatabase({ url: database.url, poolSize: 1 });
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: {
        model: scriptedLanguageModel(() => ({ text: "Done." })),
        name: "scripted",
        maxOutputTokens: 100,
      },
      connectors: [() => connector],
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      publicUrl: new URL("https://bron.example"),
      streams: { heartbeatMs: 100 },
      firebase: {
        projectId: project,
        keysUrl: `http://127.0.0.1:${(keys.address() as AddressInfo).port}/`,
      },
    });
  });
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await elsewhere.close();
    await database.drop();
    keys.close();
  });
  const get = (path: string, options: TestRequest = {}) =>
    ask(`http://127.0.0.1:${server.port}${path}`, {
      ...options,
      headers: { host: "bron.example", ...options.headers },
    });
  const firebaseCookie = async (uid: string, signedInAt = seconds() - 5) => {
    const claims = {
      iss: `https://session.firebase.google.com/${project}`,
      aud: project,
      sub: uid,
      email: `${uid}@example.com`,
      auth_time: signedInAt,
      iat: signedInAt,
      exp: seconds() + 5 * 86_400,
    };
    const signed = [{ alg: "RS256", kid: "one" }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
      .join(".");
    return `session=${signed}.${Buffer.from(await subtle.sign("RSASSA-PKCS1-v1_5", key, Buffer.from(signed))).toString("base64url")}`;
  };
  const linkCookie = async () => {
    const { pathname, search } = new URL(server.signInLink());
    const { headers } = await get(`${pathname}${search}`);
    expect(headers["set-cookie"]?.[0]).toContain("; Secure");
    return headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  };

  it("RT2 knows the owner of a Firebase cookie, and keeps two owners apart", async () => {
    const [eva, max] = [await firebaseCookie("eva"), await firebaseCookie("max")];
    expect(await get("/api/me", { headers: { cookie: eva } })).toMatchObject({
      status: 200,
      json: { ownerId: "firebase:eva", via: "firebase", email: "eva@example.com" },
    });
    const response = await get("/api/agent/run", {
      method: "POST",
      headers: { cookie: eva, ...json },
      body: { prompt: "Hello" },
    });
    expect(response).toMatchObject({ status: 200, json: { ok: true, status: "completed" } });
    const { json: list } = await get("/api/runs", { headers: { cookie: eva } });
    expect(list["runs"]).toHaveLength(1);
    expect((await get("/api/runs", { headers: { cookie: max } })).json).toMatchObject({ runs: [] });
    expect(
      (await get(`/api/runs/${response.json["runId"] as string}`, { headers: { cookie: max } }))
        .status,
    ).toBe(404);
    expect((await get("/api/runs", { headers: { cookie: `${eva}x` } })).status).toBe(401);
  });

  it("BR25 lists the browsers that are signed in, and ends a session with its streams", async () => {
    const [first, second] = [await linkCookie(), await linkCookie()];
    const { json: listed } = await get("/api/sessions", {
      headers: { cookie: first, "user-agent": "one" },
    });
    const sessions = listed["sessions"] as { id: string; current: boolean; via: string }[];
    expect(
      sessions
        .map(({ current, via }) => ({ current, via }))
        .toSorted((one, other) => Number(other.current) - Number(one.current)),
    ).toEqual([
      { current: true, via: "link" },
      { current: false, via: "link" },
    ]);
    const reader = await readStream(`http://127.0.0.1:${server.port}/api/stream`, {
      cookie: second,
      host: "bron.example",
    });
    const other = sessions.find(({ current }) => !current)?.id ?? "";
    expect(
      (await get(`/api/sessions/${other}`, { method: "DELETE", headers: { cookie: first } }))
        .status,
    ).toBe(204);
    expect((await get("/api/me", { headers: { cookie: second } })).status).toBe(401);
    expect(await reader.ended).toBe(true);
    expect((await get("/api/me", { headers: { cookie: first } })).status).toBe(200);
    expect(
      (await get(`/api/sessions/${other}`, { method: "DELETE", headers: { cookie: first } }))
        .status,
    ).toBe(404);
  });

  it("RT2 signs out Firebase cookies that have not expired: one of them, and all earlier ones", async () => {
    const [first, second] = [
      await firebaseCookie("uma", seconds() - 60),
      await firebaseCookie("uma", seconds() - 50),
    ];
    const { json: listed } = await get("/api/sessions", { headers: { cookie: first } });
    await get("/api/me", { headers: { cookie: second } });
    const [own] = listed["sessions"] as { id: string }[];
    expect(
      (await get(`/api/sessions/${own?.id}`, { method: "DELETE", headers: { cookie: second } }))
        .status,
    ).toBe(204);
    expect((await get("/api/me", { headers: { cookie: first } })).status).toBe(401);
    expect(
      (
        await get("/api/sessions/end-others", {
          method: "POST",
          headers: { cookie: second, ...json },
          body: {},
        })
      ).status,
    ).toBe(200);
    expect((await get("/api/me", { headers: { cookie: second } })).status).toBe(200);
    expect(
      (await get("/api/me", { headers: { cookie: await firebaseCookie("uma", seconds() - 55) } }))
        .status,
    ).toBe(401);
  });

  it("RT2 BR25 ends the streams of a revoked token, and those of a session that was ended at another server", async () => {
    const { token, view } = await runtime.tokens.create("local", {
      name: "reader",
      scopes: ["read"],
    });
    const cookie = await linkCookie();
    const [byToken, bySession] = [
      await readStream(`http://127.0.0.1:${server.port}/api/stream`, {
        authorization: `bearer ${token}`,
        host: "bron.example",
      }),
      await readStream(`http://127.0.0.1:${server.port}/api/stream`, {
        cookie,
        host: "bron.example",
      }),
    ];
    await byToken.until((frames) => frames.some(({ event }) => event === "reset"));
    const owner = await linkCookie();
    expect(
      (await get(`/api/tokens/${view.id}`, { method: "DELETE", headers: { cookie: owner } }))
        .status,
    ).toBe(204);
    expect(await byToken.ended).toBe(true);
    // Writes to the store directly, as another server would.
    const kept = await runtime.sessions.find(owner.split("=")[1] ?? "");
    await postgresSessions(elsewhere.pool).endOthers("local", kept?.id);
    expect(await bySession.ended).toBe(true);
    expect(bySession.frames.at(-1)?.comment).toContain("signed out");
  });

  it("RT2 ends the streams of a token that was revoked at another server, at the next heartbeat", async () => {
    const { token, view } = await runtime.tokens.create("local", {
      name: "reader",
      scopes: ["read"],
    });
    const reader = await readStream(`http://127.0.0.1:${server.port}/api/stream`, {
      authorization: `Bearer ${token}`,
      host: "bron.example",
    });
    await reader.until((frames) => frames.some(({ event }) => event === "reset"));
    await postgresApiTokens(elsewhere.pool).revoke("local", view.id);
    expect(await reader.ended).toBe(true);
    expect(reader.frames.at(-1)?.comment).toContain("signed out");
  });

  it("RT2 lets a token create no token that outlives it, and revokes those that it created", async () => {
    const maker = await runtime.tokens.create("local", {
      name: "maker",
      scopes: ["read", "manage"],
      days: 1,
    });
    const make = (body: object) =>
      get("/api/tokens", {
        method: "POST",
        headers: { authorization: `Bearer ${maker.token}`, ...json },
        body: { name: "made", scopes: ["read"], ...body },
      });
    expect(await make({ days: 30 })).toMatchObject({
      status: 400,
      json: {
        code: "invalid_input",
        detail: expect.stringContaining("can't create one that lasts longer"),
      },
    });
    const { status, json: made } = await make({});
    expect([status, made["view"]]).toEqual([
      201,
      expect.objectContaining({ expiresAt: maker.view.expiresAt, madeBy: maker.view.id }),
    ]);
    const authorization = `Bearer ${made["token"] as string}`;
    const reader = await readStream(`http://127.0.0.1:${server.port}/api/stream`, {
      authorization,
      host: "bron.example",
    });
    await reader.until((frames) => frames.some(({ event }) => event === "reset"));
    expect(
      (
        await get(`/api/tokens/${maker.view.id}`, {
          method: "DELETE",
          headers: { cookie: await linkCookie() },
        })
      ).status,
    ).toBe(204);
    expect(await reader.ended).toBe(true);
    expect((await get("/api/me", { headers: { authorization } })).status).toBe(401);
    // Tokens that a signed-in person creates stay valid when the session ends.
    const cookie = await linkCookie();
    const { json: stays } = await get("/api/tokens", {
      method: "POST",
      headers: { cookie, ...json },
      body: { name: "stays" },
    });
    await get("/sign-out", { method: "POST", headers: { cookie, ...json }, body: {} });
    expect(
      (await get("/api/me", { headers: { authorization: `Bearer ${stays["token"] as string}` } }))
        .status,
    ).toBe(200);
  });

  it("BR26 connects an account only in the browser that started it, so that a link cannot connect another person's account", async () => {
    const [eva, max] = [await firebaseCookie("eva"), await firebaseCookie("max")];
    const connectResponse = await get("/api/gmail/connect", { headers: { cookie: max } });
    expect(connectResponse.status).toBe(303);
    const mark = connectResponse.headers["set-cookie"]?.[0] ?? "";
    expect(mark).toMatch(
      /^bron_connect_\d+=[\w-]{43}; Max-Age=600; Path=\/api\/; HttpOnly; Secure; SameSite=Lax$/,
    );
    const state = new URL(connectResponse.headers.location ?? "").searchParams.get("state") ?? "";
    const back = (cookie: string) =>
      get(`/api/gmail/callback?state=${encodeURIComponent(state)}&code=c`, {
        headers: { cookie, "sec-fetch-site": "cross-site" },
      });
    for (const cookie of [eva, "", `bron_connect_${server.port}=x`])
      expect(await back(cookie)).toMatchObject({
        status: 403,
        text: expect.stringContaining("started in another browser"),
      });
    expect(finished).toEqual([]);
    expect((await back(mark.split(";")[0] ?? "")).text).toContain(
      "is connected: someone@example.com",
    );
    expect(finished).toEqual([state]);
  });

  it("returns to the page where connecting began, and to no other site", async () => {
    const eva = await firebaseCookie("eva");
    const connect = async (back: string, ending: string) => {
      const { headers } = await get(
        `/api/connections/google/connect?back=${encodeURIComponent(back)}`,
        { headers: { cookie: eva } },
      );
      const state = new URL(headers.location ?? "").searchParams.get("state") ?? "";
      const cookie = headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
      const { text } = await get(
        `/api/gmail/callback?state=${encodeURIComponent(state)}&${ending}`,
        { headers: { cookie, "sec-fetch-site": "cross-site" } },
      );
      return /http-equiv="refresh" content="2;url=([^"]*)"/.exec(text)?.[1];
    };
    const task = "/threads/0199#step";
    expect(await connect(task, "code=c")).toBe(task);
    expect(await connect(task, "error=access_denied")).toBe(task);
    for (const hostile of ["//evil.example", "/\\evil.example", "javascript:alert(1)", "/api/me"])
      expect(await connect(hostile, "code=c")).toBe("/");
  });

  it("goes home from a callback whose state is unknown", async () => {
    const { text } = await get("/api/gmail/callback?state=x&error=denied");
    expect(text).toContain('content="2;url=/"');
  });

  it("accepts its public name and the names of this machine as host, and refuses other hosts and other origins", async () => {
    const cookie = await linkCookie();
    expect(
      (await get("/api/me", { headers: { cookie, origin: "https://bron.example" } })).status,
    ).toBe(200);
    expect(
      (await get("/api/me", { headers: { cookie, origin: "http://bron.example" } })).status,
    ).toBe(403);
    expect(
      (await get("/api/me", { headers: { cookie, origin: "https://evil.example" } })).status,
    ).toBe(403);
    expect((await get("/api/me", { headers: { cookie, host: "evil.example" } })).status).toBe(421);
    expect(
      (await get("/api/me", { headers: { cookie, host: `localhost:${server.port}` } })).status,
    ).toBe(200);
    expect((await get("/", { headers: { accept: "text/html" } })).text).toContain("Sign in");
  });
});
