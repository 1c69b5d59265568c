import { request } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { ask } from "../../../../test/support/http/ask.ts";
import { createServer, type BronServer, type ServerOptions } from "../create-server.ts";
import { fakeRuntime, logEntry, runId } from "../fake-runtime.fixture.ts";
import { ownerHeader } from "../../../../test/support/http/owner-header.ts";
import { createMetrics } from "./metrics.ts";
import type { RequestEntry } from "./request-entry.ts";

describe("whoever looks after a server", () => {
  const opened: BronServer[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const serve = async (options: Partial<ServerOptions> = {}) => {
    const told: RequestEntry[] = [];
    const server = await createServer({
      runtime: fakeRuntime(),
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      metrics: createMetrics(),
      onRequest: (entry) => told.push(entry),
      ...options,
    });
    opened.push(server);
    return { url: server.url, told };
  };
  const only = async (told: readonly RequestEntry[]) => {
    await expect.poll(() => told.length).toBe(1);
    return told[0]!;
  };

  it("BR23 is told of a request by its pattern, with who asked, and without its query", async () => {
    const runtime = fakeRuntime([logEntry(1)]);
    const { url, told } = await serve({ runtime });
    const answer = await ask(`${url}/api/runs/${runId}/events?afterSeq=0&secret=words`, {
      headers: { authorization: ownerHeader(runtime) },
    });
    const entry = await only(told);
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
    expect(JSON.stringify(told)).not.toMatch(/secret|words/);
  });

  it("is told of those that were refused, and no path that somebody made up", async () => {
    const { url, told } = await serve();
    await ask(`${url}/api/runs/${runId}`);
    await ask(`${url}/a%20secret/path`);
    await expect.poll(() => told.length).toBe(2);
    expect(told.map(({ route, status, ownerId }) => ({ route, status, ownerId }))).toEqual([
      { route: "/api/runs/:id", status: 401, ownerId: undefined },
      { route: "none", status: 401, ownerId: undefined },
    ]);
  });

  it.each([
    ["its own id, if that is one", "abc-DEF_123", "abc-DEF_123"],
    ["another one for what is too long", "x".repeat(65), undefined],
    ["another one for what could be misread", "a b", undefined],
    ["another one for what could begin a line of a log", 'x","level":"fatal', undefined],
  ])("gives a request %s", async (_what, given, kept) => {
    const { url, told } = await serve();
    const { headers } = await ask(`${url}/healthz`, { headers: { "x-request-id": given } });
    expect(headers["x-request-id"]).toBe((await only(told)).requestId);
    if (kept === undefined) expect(headers["x-request-id"]).toMatch(/^[0-9a-f]{24}$/);
    else expect(headers["x-request-id"]).toBe(kept);
  });

  it("is told of somebody who left before there was an answer", async () => {
    const never = Promise.withResolvers<void>();
    const { url, told } = await serve({ runtime: { ...fakeRuntime(), ping: () => never.promise } });
    const sent = request(`${url}/readyz`).on("error", () => undefined);
    sent.end();
    await new Promise((resolve) =>
      sent.once("socket", (socket) => socket.once("connect", resolve)),
    );
    setImmediate(() => sent.destroy());
    expect(await only(told)).toMatchObject({ route: "/readyz", status: 499 });
  });

  it("BR23 gets figures with a token that may read, under whatever name the network has for this server", async () => {
    const runtime = fakeRuntime();
    const { url } = await serve({ runtime });
    const headers = { authorization: `Bearer ${runtime.token(["read"])}`, host: "worker-2:4311" };
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

  it("is the owner of the machine: others who use it get no figures, and neither does a token for something else", async () => {
    const runtime = fakeRuntime();
    const { url } = await serve({ runtime });
    for (const token of [
      runtime.token(["read"], "firebase:somebody"),
      runtime.token(["run", "approve", "manage"]),
    ])
      expect(
        (await ask(`${url}/metrics`, { headers: { authorization: `Bearer ${token}` } })).status,
      ).toBe(403);
    expect((await ask(`${url}/metrics`)).status).toBe(401);
  });

  it("finds probes and figures at a worker, and nothing else", async () => {
    const runtime = fakeRuntime();
    const { url } = await serve({ runtime, isWorker: true });
    const authorization = ownerHeader(runtime);
    for (const path of ["/healthz", "/readyz", "/metrics"])
      expect((await ask(`${url}${path}`, { headers: { authorization } })).status, path).toBe(200);
    for (const path of ["/", "/api/runs", "/api/stream", "/sign-in", "/docs"])
      expect((await ask(`${url}${path}`, { headers: { authorization } })).status, path).toBe(404);
    expect(runtime.asked).toEqual([]);
  });
});
