import { proveServer } from "@bron/client";
import { api, scopes, type Endpoint, type Scope } from "@bron/protocol";
import { isFullSuite } from "@bron/testing";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { sessionCookieName } from "./access/session-cookie.ts";
import { signInLink } from "./access/sign-in-link.ts";
import { ownerHeader } from "../../../test/support/http/owner-header.ts";
import { createHosts } from "./access/hosts.ts";
import { createApp } from "./app.ts";
import { noServerLimits } from "../../../test/support/http/no-server-limits.ts";
import { ask, json, type TestResponse } from "../../../test/support/http/ask.ts";
import { createServer, type BronServer } from "./create-server.ts";
import { routesOf } from "./route-table.ts";
import { logEntry, openHarness, ownerId, runId, statusEntry } from "./runtime-harness.fixture.ts";
import { createStreams } from "./stream/streams.ts";

const harness = await openHarness([logEntry(1), statusEntry(2, "completed")]);

describe("the gate", () => {
  const { runtime, asked } = harness;
  const webRoot = mkdtempSync(join(tmpdir(), "bron-web-"));
  // Thousands of requests follow each other.
  const agent = new Agent({ keepAlive: true });
  let server: BronServer;
  let port: number;
  beforeAll(async () => {
    writeFileSync(join(webRoot, "index.html"), "<h1>Home</h1>");
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId,
      host: "127.0.0.1",
      port: 0,
      serverId: "s-1",
      webRoot,
      streams: { closeAfterMs: 50 },
    });
    port = Number(new URL(server.url).port);
  });
  afterAll(async () => {
    agent.destroy();
    await server.close();
    await runtime.close();
    rmSync(webRoot, { recursive: true });
  });

  const app = createApp({
    runtime,
    ownerId,
    serverId: "",
    port: 0,
    hosts: createHosts(0, undefined),
    firebase: undefined,
    rates: { take: () => Promise.resolve(), refund: () => Promise.resolve() },
    origin: "",
    about: { version: "", demoMail: false, demoModel: false, model: "", suggestions: [] },
    demo: undefined,
    webRoot,
    limits: { maxBodyBytes: 1, bodyTimeoutMs: 1, uploadTimeoutMs: 1 },
    maxAgentSteps: 8,
    streams: createStreams({
      runtime,
      times: { heartbeatMs: 1_000, closeAfterMs: 1_000, stalledMs: 1_000, maxBufferedBytes: 1_000 },
      maxPerOwner: 0,
    }),
    renderHome: undefined,
    onProblem: () => undefined,
  });
  const routes = routesOf(app.routes).map(({ method, path }) => ({
    method,
    path,
    address: path
      .replace(":digest", "ab12")
      .replace(":id", runId)
      .replace(":name", "page.js")
      .replace(":provider", "gemini"),
  }));
  /** Listed by hand and not from the table, so that opening a route needs a change here too. */
  const openToAll = [
    "GET /healthz",
    "GET /readyz",
    "GET /sign-in",
    "GET /openapi.json",
    "GET /docs",
    "GET /docs/errors",
    "GET /docs/guides/:name",
    "GET /api/gmail/callback",
    "GET /api/connections/slack/callback",
    "GET /api/connections/mcp/callback",
    "PUT /api/uploads/:id",
  ];
  /** Programs sign in to it with a token, and no browser does. */
  const forTokensOnly = "/mcp";
  const closed = routes.filter(({ method, path }) => !openToAll.includes(`${method} ${path}`));
  const cookie = async (of = ownerId) => `${sessionCookieName(port)}=${await harness.session(of)}`;
  const hasBody = ({ method }: { method: string }) => method !== "GET" && method !== "DELETE";
  const call = (
    route: { method: string; address: string },
    headers: Record<string, string> = {},
  ): Promise<TestResponse> =>
    ask(`${server.url}${route.address}`, {
      method: route.method,
      headers: hasBody(route) ? { ...json, ...headers } : headers,
      ...(hasBody(route) ? { body: "{}" } : {}),
      agent,
    });
  /**
   * The routes that one of several ways to be wrong is tried on. `npm test` tries each way on every
   * fourth route, and together they try every route.
   */
  const shareOf = (which: typeof routes, way: number) =>
    which.filter((_, index) => isFullSuite || index % 4 === way % 4);
  /** Expects this status from every given route, without a call to the library. */
  const expectRefusal = async (
    which: typeof routes,
    status: number,
    headers: () => Record<string, string> | Promise<Record<string, string>>,
  ) => {
    asked.length = 0;
    for (const route of which)
      expect((await call(route, await headers())).status, `${route.method} ${route.path}`).toBe(
        status,
      );
    expect(asked).toEqual([]);
  };

  it("BR9 has every endpoint of the table, and otherwise only the pages", () => {
    const registered = routes.map(({ method, path }) => `${method} ${path}`);
    expect(Object.keys(api).filter((key) => !registered.includes(key))).toEqual([]);
    expect([...new Set(registered.filter((key) => !(key in api)))].toSorted())
      .toMatchInlineSnapshot(`
        [
          "GET /",
          "GET /apple-touch-icon.png",
          "GET /approvals",
          "GET /assets/:name",
          "GET /audit",
          "GET /brons",
          "GET /brons/:id",
          "GET /connections",
          "GET /demo",
          "GET /icon-192.png",
          "GET /icon-512.png",
          "GET /icon-maskable-512.png",
          "GET /manifest.webmanifest",
          "GET /memory",
          "GET /permissions",
          "GET /runs",
          "GET /runs/:id",
          "GET /schedules",
          "GET /settings",
          "GET /skills",
          "GET /skills/:name",
          "GET /sw.js",
          "GET /tasks",
          "GET /threads",
          "GET /threads/:id",
          "GET /usage",
        ]
      `);
  });

  it("knows its routes", () => {
    expect(routes.map(({ method, path }) => `${method} ${path}`).toSorted()).toMatchInlineSnapshot(`
      [
        "DELETE /api/mcp-servers/:name",
        "DELETE /api/model-keys/:provider",
        "DELETE /api/oauth-clients/:provider",
        "DELETE /api/sessions/:id",
        "DELETE /api/skills/:name",
        "DELETE /api/threads/:id",
        "DELETE /api/tokens/:id",
        "GET /",
        "GET /",
        "GET /api/about",
        "GET /api/activity",
        "GET /api/agent/run/:id",
        "GET /api/approvals",
        "GET /api/approvals/:id",
        "GET /api/approvals/:id/background",
        "GET /api/artifacts/:digest",
        "GET /api/artifacts/:digest/preview",
        "GET /api/audit",
        "GET /api/audit/export",
        "GET /api/bron-templates",
        "GET /api/brons",
        "GET /api/brons/:id",
        "GET /api/brons/:id/export",
        "GET /api/brons/:id/runs",
        "GET /api/budget",
        "GET /api/client-actions",
        "GET /api/connections",
        "GET /api/connections/:provider/connect",
        "GET /api/connections/mcp/callback",
        "GET /api/connections/slack/callback",
        "GET /api/demo",
        "GET /api/effects",
        "GET /api/effects/:id",
        "GET /api/gmail/callback",
        "GET /api/gmail/connect",
        "GET /api/local-models",
        "GET /api/mcp-servers",
        "GET /api/me",
        "GET /api/memory",
        "GET /api/memory/:id",
        "GET /api/memory/export",
        "GET /api/model-keys",
        "GET /api/models",
        "GET /api/oauth-clients",
        "GET /api/permissions",
        "GET /api/places",
        "GET /api/questions",
        "GET /api/questions/:id",
        "GET /api/runs",
        "GET /api/runs/:id",
        "GET /api/runs/:id/actions",
        "GET /api/runs/:id/artifacts",
        "GET /api/runs/:id/drafts",
        "GET /api/runs/:id/effects",
        "GET /api/runs/:id/events",
        "GET /api/runs/:id/export",
        "GET /api/runs/:id/stream",
        "GET /api/schedules",
        "GET /api/schedules/:id",
        "GET /api/sessions",
        "GET /api/skills",
        "GET /api/skills/:name",
        "GET /api/stream",
        "GET /api/threads",
        "GET /api/threads/:id",
        "GET /api/threads/:id/export",
        "GET /api/tokens",
        "GET /api/tools",
        "GET /api/uploads/:id",
        "GET /api/usage",
        "GET /apple-touch-icon.png",
        "GET /approvals",
        "GET /assets/:name",
        "GET /audit",
        "GET /brons",
        "GET /brons/:id",
        "GET /connections",
        "GET /demo",
        "GET /docs",
        "GET /docs/errors",
        "GET /docs/guides/:name",
        "GET /healthz",
        "GET /icon-192.png",
        "GET /icon-512.png",
        "GET /icon-maskable-512.png",
        "GET /manifest.webmanifest",
        "GET /memory",
        "GET /metrics",
        "GET /openapi.json",
        "GET /permissions",
        "GET /readyz",
        "GET /runs",
        "GET /runs/:id",
        "GET /schedules",
        "GET /settings",
        "GET /sign-in",
        "GET /skills",
        "GET /skills/:name",
        "GET /sw.js",
        "GET /tasks",
        "GET /threads",
        "GET /threads/:id",
        "GET /usage",
        "PATCH /api/brons/:id",
        "PATCH /api/budget",
        "PATCH /api/memory/:id",
        "PATCH /api/schedules/:id",
        "PATCH /api/threads/:id",
        "POST /api/agent/run",
        "POST /api/agent/run/stream",
        "POST /api/approvals/:id/approve",
        "POST /api/approvals/:id/deny",
        "POST /api/approvals/:id/edit",
        "POST /api/approvals/:id/reply",
        "POST /api/approvals/:id/snooze",
        "POST /api/approvals/:id/undo",
        "POST /api/approvals/batch",
        "POST /api/brons",
        "POST /api/brons/:id/archive",
        "POST /api/brons/:id/duplicate",
        "POST /api/brons/:id/memory/undo",
        "POST /api/brons/:id/restore",
        "POST /api/brons/import",
        "POST /api/connections/:provider/disconnect",
        "POST /api/demo/faults",
        "POST /api/demo/faults/clear",
        "POST /api/demo/reset",
        "POST /api/effects/:id/discard",
        "POST /api/effects/:id/restore",
        "POST /api/effects/:id/settle",
        "POST /api/effects/:id/undo",
        "POST /api/gmail/disconnect",
        "POST /api/mcp-servers",
        "POST /api/mcp-servers/:name/accept",
        "POST /api/mcp-servers/:name/test",
        "POST /api/memory",
        "POST /api/memory/:id/confirm",
        "POST /api/memory/:id/forget",
        "POST /api/model-keys/:provider/accept",
        "POST /api/model-keys/:provider/test",
        "POST /api/permissions/allowed",
        "POST /api/permissions/allowed/:id/remove",
        "POST /api/permissions/effects",
        "POST /api/permissions/grants",
        "POST /api/permissions/grants/:id/remove",
        "POST /api/permissions/rules",
        "POST /api/permissions/rules/:id/remove",
        "POST /api/permissions/trust",
        "POST /api/questions/:id/answer",
        "POST /api/runs",
        "POST /api/runs/:id/actions/:actionId/finish",
        "POST /api/runs/:id/actions/:actionId/take",
        "POST /api/runs/:id/approve-send",
        "POST /api/runs/:id/cancel",
        "POST /api/runs/:id/cross-out",
        "POST /api/runs/:id/messages",
        "POST /api/runs/:id/place",
        "POST /api/runs/:id/put-back",
        "POST /api/runs/:id/retry",
        "POST /api/schedules",
        "POST /api/schedules/:id/pause",
        "POST /api/schedules/:id/remove",
        "POST /api/schedules/:id/resume",
        "POST /api/schedules/:id/run",
        "POST /api/schedules/preview",
        "POST /api/sessions/end-others",
        "POST /api/skills",
        "POST /api/skills/:name/accept",
        "POST /api/stop",
        "POST /api/tokens",
        "POST /api/uploads/complete",
        "POST /api/uploads/token",
        "POST /mcp",
        "POST /sign-out",
        "PUT /api/local-models",
        "PUT /api/model-keys/:provider",
        "PUT /api/oauth-clients/:provider",
        "PUT /api/uploads/:id",
      ]
    `);
  });

  it("accepts the owner on every route, by cookie and by terminal token", async () => {
    for (const headers of [
      async () => ({ cookie: await cookie() }),
      () => ({ authorization: ownerHeader(runtime, { serverId: "s-1" }) }),
    ]) {
      for (const route of closed)
        expect(
          route.path === forTokensOnly ? [403] : [200, 201, 204, 400, 404],
          `${route.method} ${route.path}`,
        ).toContain((await call(route, await headers())).status);
    }
    expect(asked).toContain("runs.get");
  });

  it("BR8 rejects every route without a session", () => expectRefusal(closed, 401, () => ({})));

  it("rejects every route with an unknown session, or one of another owner or server", async () => {
    const good = await harness.session();
    const wrong = ["", "x", `${good}x`, good.slice(1), randomBytes(16).toString("base64url")];
    for (const [way, value] of wrong.entries())
      await expectRefusal(shareOf(closed, way), 401, () => ({
        cookie: `${sessionCookieName(port)}=${value}`,
      }));
    await expectRefusal(closed, 401, async () => ({ cookie: await cookie("someone") }));
    await expectRefusal(closed, 401, async () => ({
      cookie: (await cookie()).replace(`_${port}`, "_1"),
    }));
  });

  it("RT2 allows an API token only its scopes", async () => {
    const endpointOf = (route: { method: string; path: string }) =>
      (api as Readonly<Record<string, Endpoint>>)[`${route.method} ${route.path}`];
    const described = closed.filter((route) => endpointOf(route) !== undefined);
    const opens = (scope: Scope, route: { method: string; path: string }) =>
      endpointOf(route)?.scope === scope &&
      [undefined, scope].includes(endpointOf(route)?.alsoScope);
    for (const scope of scopes) {
      asked.length = 0;
      const authorization = `Bearer ${await harness.token([scope])}`;
      const refused = shareOf(described, scopes.indexOf(scope)).filter((one) => !opens(scope, one));
      for (const route of refused)
        expect(
          (await call(route, { authorization })).status,
          `${scope}: ${route.method} ${route.path}`,
        ).toBe(403);
      expect(asked).toEqual([]);
      // Its responses are those of the MCP protocol. test/mcp/door.test.ts tests them.
      const allowed = described.filter((one) => opens(scope, one) && one.path !== forTokensOnly);
      for (const route of allowed)
        expect([200, 201, 204, 400, 404], `${scope}: ${route.method} ${route.path}`).toContain(
          (await call(route, { authorization })).status,
        );
    }
    await expectRefusal(closed, 401, () => ({
      authorization: `Bearer bron_${randomBytes(24).toString("base64url")}`,
    }));
  });

  it("rejects every route with an invalid token, even with a valid cookie", async () => {
    await expectRefusal(closed, 401, () => ({
      authorization: ownerHeader(runtime, { serverId: "s-1", ownerId: "someone" }),
    }));
    await expectRefusal(closed, 401, async () => ({
      authorization: "Bearer",
      cookie: await cookie(),
    }));
    const [, good = ""] = ownerHeader(runtime, { serverId: "s-1" }).split(" ");
    for (const wrong of [
      `Bearer ${good}x`,
      `Bearer ${good.replace("v1.", "v2.")}`,
      `bearer ${good}`,
      `Bearer ${good.replace(/(?<=\.)\d+(?=\.)/, "")}`,
      `Bearer ${good.replace(/(?<=\.)\d+(?=\.)/, (expiresAt) => String(Number(expiresAt) + 10))}`,
      `Bearer ${runtime.sign("cli", ownerId)}`,
    ]) {
      expect(
        (await call({ method: "GET", address: "/api/runs" }, { authorization: wrong })).status,
        wrong,
      ).toBe(401);
    }
  });

  it("rejects every route with a token of the previous server, an expired one, or one valid for more than two minutes", async () => {
    await expectRefusal(closed, 401, () => ({
      authorization: ownerHeader(runtime, { serverId: "s-0" }),
    }));
    await expectRefusal(closed, 401, () => ({
      authorization: ownerHeader(runtime, { serverId: "s-1", goodFor: -1 }),
    }));
    await expectRefusal(closed, 401, () => ({
      authorization: ownerHeader(runtime, { serverId: "s-1", goodFor: 125 }),
    }));
  });

  it("rejects every route for another origin, even the open ones", async () => {
    const origins = [
      "https://evil.example",
      "null",
      `http://localhost:${port + 1}`,
      `https://127.0.0.1:${port}`,
    ];
    for (const [way, origin] of origins.entries())
      await expectRefusal(shareOf(routes, way), 403, async () => ({
        origin,
        cookie: await cookie(),
      }));
  });

  it("rejects cross-site requests on every route, except navigation to pages", async () => {
    const reached = closed.filter(
      ({ method, path }) => method !== "GET" || path.startsWith("/api/"),
    );
    for (const site of ["cross-site", "same-site"])
      await expectRefusal(reached, 403, async () => ({
        "sec-fetch-site": site,
        cookie: await cookie(),
      }));
    expect(
      (
        await call(
          { method: "GET", address: "/" },
          { "sec-fetch-site": "cross-site", cookie: await cookie() },
        )
      ).status,
    ).toBe(200);
    expect(
      (
        await call(
          { method: "POST", address: "/sign-out" },
          { "sec-fetch-site": "same-origin", origin: server.url, cookie: await cookie() },
        )
      ).status,
    ).toBe(204);
  });

  it("rejects every route under another Host", async () => {
    const hosts = [
      "localhost",
      "127.0.0.1:1",
      `evil.example:${port}`,
      `127.0.0.1.evil.example:${port}`,
      `localhost.evil:${port}`,
    ];
    for (const [way, host] of hosts.entries())
      await expectRefusal(shareOf(routes, way), 421, async () => ({
        host,
        cookie: await cookie(),
      }));
    // These values are not even valid hosts.
    for (const [way, host] of [`user@localhost:${port}`, "localhost:99999"].entries())
      await expectRefusal(shareOf(routes, way), 400, async () => ({
        host,
        cookie: await cookie(),
      }));
    for (const host of [
      `localhost:${port}`,
      `127.0.0.1:${port}`,
      `127.1.2.3:${port}`,
      `[::1]:${port}`,
      `LOCALHOST:${port}`,
    ])
      expect((await call({ method: "GET", address: "/healthz" }, { host })).status, host).toBe(200);
  });

  it("rejects every change that is not sent as JSON", async () => {
    const changes = routes.filter(
      ({ method, path }) => method !== "GET" && method !== "DELETE" && path !== "/api/uploads/:id",
    );
    const types = [
      "text/plain",
      "application/x-www-form-urlencoded",
      "multipart/form-data; boundary=x",
      "application/jsonx",
      "application/json; charset=latin1",
    ];
    for (const [way, type] of types.entries()) {
      await expectRefusal(shareOf(changes, way), 415, async () => ({
        "content-type": type,
        cookie: await cookie(),
      }));
    }
    await expectRefusal(changes, 415, async () => ({
      "content-encoding": "gzip",
      cookie: await cookie(),
    }));
  });

  it("responds with 404 and 405 only to the owner", async () => {
    expect(await call({ method: "GET", address: "/api/nothing" })).toMatchObject({ status: 401 });
    expect(
      await call({ method: "GET", address: "/api/nothing" }, { cookie: await cookie() }),
    ).toMatchObject({ status: 404, json: { code: "not_found", type: "/docs/errors#not-found" } });
    const wrong = await call(
      { method: "DELETE", address: "/api/runs" },
      { cookie: await cookie() },
    );
    expect(wrong).toMatchObject({ status: 405, json: { code: "method_not_allowed" } });
    expect(wrong.headers.allow?.split(", ").toSorted()).toEqual(["GET", "HEAD", "POST"]);
    expect(wrong.headers["content-type"]).toBe("application/problem+json");
  });

  it("sets the security headers on every response", async () => {
    for (const route of [...routes, { method: "GET", path: "/nothing", address: "/nothing" }]) {
      const { headers } = await call(route, { cookie: await cookie() });
      expect(headers, route.path).toMatchObject({
        "x-content-type-options": "nosniff",
        "cache-control": expect.stringContaining("no-store"),
        "referrer-policy": "no-referrer",
        "x-frame-options": "DENY",
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
      });
      expect(headers["content-security-policy"], route.path).toContain("default-src 'none'");
    }
  });

  it("proves that it has the home's secret, for one challenge only", async () => {
    const prove = async (challenge: string) =>
      (await call({ method: "GET", address: "/healthz" }, { "bron-challenge": challenge })).headers[
        "bron-proof"
      ];
    const challenge = "0123456789abcdef";
    expect(await prove(challenge)).toBe(runtime.sign("server", `s-1\n${challenge}`));
    expect(await prove("f".repeat(16))).not.toBe(await prove(challenge));
    for (const refused of ["", "short", "x".repeat(65), "local\u00e9 0123456789abcdef"])
      expect(await prove(refused), refused).toBeUndefined();
    expect(await proveServer({ url: server.url, serverId: "s-1", sign: runtime.sign })).toBe(
      "proved",
    );
    expect(await proveServer({ url: server.url, serverId: "s-2", sign: runtime.sign })).toBe(
      "other",
    );
    expect(
      await proveServer({
        url: server.url,
        serverId: "s-1",
        sign: (purpose, text) => runtime.sign(purpose, `${text}x`),
      }),
    ).toBe("other");
  });

  it("shows a browser without a session how to get a link", async () => {
    const page = await call({ method: "GET", address: "/" });
    expect(page.status).toBe(401);
    expect(page.text).toContain("bron open");
    expect(page.text).not.toContain("Home");
  });

  describe("by a link", () => {
    const subscribe = (link: string, method = "GET") => ask(link, { method });

    it("signs in once, and rejects a replayed link", async () => {
      const link = server.signInLink();
      expect((await subscribe(link, "HEAD")).headers["set-cookie"]).toBeUndefined();
      const first = await subscribe(link);
      expect(first).toMatchObject({ status: 303, headers: { location: "/" } });
      const [set = ""] = first.headers["set-cookie"] ?? [];
      expect(set).toMatch(
        new RegExp(
          `^bron_session_${port}=[^;]+; Max-Age=2592000; Path=/; HttpOnly; SameSite=Strict$`,
        ),
      );
      expect(
        (await call({ method: "GET", address: "/" }, { cookie: set.split(";")[0] ?? "" })).text,
      ).toContain("Home");
      const again = await subscribe(link);
      expect(again.status).toBe(401);
      expect(again.headers["set-cookie"]).toBeUndefined();
    });

    it("signs in only one of many concurrent requests", async () => {
      const link = server.signInLink();
      const answers = await Promise.all(Array.from({ length: 20 }, () => subscribe(link)));
      expect(answers.filter(({ status }) => status === 303)).toHaveLength(1);
    });

    it("rejects a link that is forged, expired or valid for more than ten minutes", async () => {
      const at = (now: number, sign = runtime.sign) => signInLink({ sign, url: server.url, now });
      for (const link of [
        at(Date.now() - 600_001),
        at(Date.now() + 60_000),
        at(Date.now(), (purpose, text) => runtime.sign(`${purpose}2`, text)),
        `${at(Date.now())}x`,
        `${server.url}/sign-in`,
        `${server.url}/sign-in?token=..`,
      ])
        expect((await subscribe(link)).status, link).toBe(401);
      expect((await subscribe(at(Date.now() - 590_000))).status).toBe(303);
    });

    it("signs out: a copy of the cookie is rejected, and other sessions continue", async () => {
      const [mine, other] = [await cookie(), await cookie()];
      const { status, headers } = await call(
        { method: "POST", address: "/sign-out" },
        { cookie: mine },
      );
      expect(status).toBe(204);
      expect(headers["set-cookie"]?.[0]).toMatch(
        new RegExp(`^bron_session_${port}=; Max-Age=0; Path=/`),
      );
      await expectRefusal(closed, 401, () => ({ cookie: mine }));
      expect((await call({ method: "GET", address: "/" }, { cookie: other })).status).toBe(200);
      expect(
        (
          await call(
            { method: "POST", address: "/sign-out" },
            { authorization: ownerHeader(runtime, { serverId: "s-1" }) },
          )
        ).status,
      ).toBe(204);
      expect((await call({ method: "GET", address: "/" }, { cookie: other })).status).toBe(200);
    });
  });
});
