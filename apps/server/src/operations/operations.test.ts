import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../../../../test/support/http/ask.ts";
import { createServer, type ServerOptions } from "../create-server.ts";
import { openHarness, runId, type HarnessOptions } from "../runtime-harness.fixture.ts";
import { ownerHeader } from "../../../../test/support/http/owner-header.ts";
import { createMetrics } from "./metrics.ts";
import type { RequestEntry } from "./request-entry.ts";

describe("the operator of a server", () => {
  const opened: { close(): Promise<void> }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const serve = async (options: Partial<ServerOptions> & HarnessOptions = {}) => {
    const reported: RequestEntry[] = [];
    const harness = await openHarness(undefined, options);
    const { runtime } = harness;
    const server = await createServer({
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      metrics: createMetrics(),
      onRequest: (entry) => reported.push(entry),
      ...options,
    });
    opened.push(server, runtime);
    return { ...harness, url: server.url, reported };
  };
  const only = async (reported: readonly RequestEntry[]) => {
    await expect.poll(() => reported.length).toBe(1);
    return reported[0]!;
  };

  it("BR23 gets a log entry with the route and the caller, without the query", async () => {
    const { url, reported, runtime } = await serve();
    const answer = await ask(`${url}/api/runs/${runId}/events?afterSeq=0&secret=words`, {
      headers: { authorization: ownerHeader(runtime) },
    });
    const entry = await only(reported);
    expect(entry).toEqual({
      requestId: answer.headers["x-request-id"],
      method: "GET",
      route: "/api/runs/:id/events",
      status: 200,
      ms: expect.any(Number),
      isStream: false,
      ownerId: "local",
      via: "terminal",
    });
    expect(JSON.stringify(reported)).not.toMatch(/secret|words/);
  });

  it("gets entries of refused requests, without unknown paths", async () => {
    const { url, reported } = await serve();
    await ask(`${url}/api/runs/${runId}`);
    await ask(`${url}/a%20secret/path`);
    await expect.poll(() => reported.length).toBe(2);
    expect(reported.map(({ route, status, ownerId }) => ({ route, status, ownerId }))).toEqual([
      { route: "/api/runs/:id", status: 401, ownerId: undefined },
      { route: "none", status: 401, ownerId: undefined },
    ]);
  });

  it.each([
    ["its own id, if that is valid", "abc-DEF_123", "abc-DEF_123"],
    ["a new id if its own is too long", "x".repeat(65), undefined],
    ["a new id if its own is malformed", "a b", undefined],
    ["a new id if its own could forge a log line", 'x","level":"fatal', undefined],
  ])("sees a request with %s", async (_what, given, kept) => {
    const { url, reported } = await serve();
    const { headers } = await ask(`${url}/healthz`, { headers: { "x-request-id": given } });
    expect(headers["x-request-id"]).toBe((await only(reported)).requestId);
    if (kept === undefined) expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{24}$/);
    else expect(headers["x-request-id"]).toBe(kept);
  });

  it("gets an entry for a client that disconnected before the response", async () => {
    const never = Promise.withResolvers<void>();
    const { url, reported } = await serve({
      wrap: (store) => ({ ...store, load: { ...store.load, ping: () => never.promise } }),
    });
    const sent = request(`${url}/readyz`).on("error", () => undefined);
    sent.end();
    await new Promise((resolve) =>
      sent.once("socket", (socket) => socket.once("connect", resolve)),
    );
    setImmediate(() => sent.destroy());
    expect(await only(reported)).toMatchObject({ route: "/readyz", status: 499 });
  });

  it("BR23 gets metrics with a read token, under any host name", async () => {
    const { url, token } = await serve();
    const headers = { authorization: `Bearer ${await token(["read"])}`, host: "worker-2:4311" };
    const { status, headers: got, text } = await ask(`${url}/metrics`, { headers });
    expect(status).toBe(200);
    expect(got["content-type"]).toMatch(/^text\/plain; version=0\.0\.4/);
    expect(text).toMatch(/^bron_streams_open 0$/m);
    expect((await ask(`${url}/api/runs`, { headers })).status).toBe(421);
    expect((await ask(`${url}/metrics`, { headers: { host: "worker-2:4311" } })).status).toBe(421);
    expect(
      (
        await ask(`${url}/metrics`, {
          headers: {
            host: "worker-2:4311",
            authorization: "Bearer bron_0123456789012345678901234567",
          },
        })
      ).status,
    ).toBe(401);
  });

  it("is the owner of the machine: other users, and tokens without the scope, get no metrics", async () => {
    const { url, token: createToken } = await serve();
    for (const token of [
      await createToken(["read"], "firebase:another"),
      await createToken(["run", "approve", "manage"]),
    ])
      expect(
        (await ask(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status,
      ).toBe(403);
    expect((await ask(`${url}/metrics`)).status).toBe(401);
  });

  it("finds only health checks and metrics on a worker", async () => {
    const { url, runtime, asked } = await serve({ isWorker: true });
    const authorization = ownerHeader(runtime);
    for (const path of ["/healthz", "/readyz", "/metrics"])
      expect((await ask(`${url}${path}`, { headers: { authorization } })).status, path).toBe(200);
    for (const path of ["/", "/api/runs", "/api/stream", "/sign-in", "/docs"])
      expect((await ask(`${url}${path}`, { headers: { authorization } })).status, path).toBe(404);
    expect(new Set(asked)).toEqual(new Set(["load.ping", "load.load"]));
  });
});
