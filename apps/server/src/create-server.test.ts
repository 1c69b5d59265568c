import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "node:net";
import type { Store } from "@bron/core";
import { omitUndefined, type RunView } from "@bron/protocol";
import { afterEach, describe, expect, it } from "vitest";
import { ownerHeader } from "../../../test/support/http/owner-header.ts";
import { ask } from "../../../test/support/http/ask.ts";
import { createServer, type ServerOptions } from "./create-server.ts";
import { listen } from "./listen.ts";
import { openHarness, runId, type HarnessOptions } from "./runtime-harness.fixture.ts";

describe("the server", () => {
  const opened: { close(): unknown }[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((one) => one.close()));
  });
  const serve = async (options: Partial<ServerOptions> & HarnessOptions = {}) => {
    const harness = await openHarness(undefined, options);
    opened.push(harness.runtime);
    const server = await createServer({
      runtime: harness.runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      ...options,
    });
    opened.push(server);
    return { ...harness, ...server };
  };
  /** Changes how the store returns a run. */
  const withGet =
    (get: Store["runs"]["get"]): NonNullable<HarnessOptions["wrap"]> =>
    (store) => ({ ...store, runs: { ...store.runs, get } });

  it("reports a port in use, and by what", async () => {
    const port = Number(new URL((await serve()).url).port);
    await expect(serve({ port })).rejects.toMatchObject({
      code: "port_taken",
      message: `PORT ${port} on 127.0.0.1 is in use by a Bron with another home.`,
    });
    const other = createHttpServer((_, response) => response.end("hi"));
    const taken = await listen(other, "127.0.0.1", 0);
    opened.push(other);
    await expect(serve({ port: taken })).rejects.toMatchObject({
      code: "port_taken",
      message: `PORT ${taken} on 127.0.0.1 is in use by another program.`,
    });
  });

  it("does not listen beyond loopback", async () => {
    await expect(serve({ host: "0.0.0.0" })).rejects.toMatchObject({ code: "config_invalid" });
  });

  it("is not ready while the database is unreachable", async () => {
    const ping = () => Promise.reject(new TypeError("away"));
    const { url } = await serve({
      wrap: (store) => ({ ...store, load: { ...store.load, ping } }),
    });
    expect(await ask(`${url}/readyz`)).toMatchObject({
      status: 503,
      json: { code: "database_unreachable" },
    });
    expect((await ask(`${url}/healthz`)).status).toBe(200);
  });

  /**
   * Writes the text byte by byte without end, and returns the response once the connection is
   * closed.
   */
  const drip = async (url: string, text: string): Promise<string> => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let answer = "";
    socket.on("data", (chunk) => (answer += chunk.toString())).on("error", () => undefined);
    socket.write(text);
    const dripping = setInterval(() => socket.write("x"), 20);
    await new Promise((resolve) => socket.on("close", resolve));
    clearInterval(dripping);
    return answer;
  };
  const impatient = { headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 };

  it("closes a connection whose headers do not end, and serves others in the meantime", async () => {
    const { url } = await serve({ requests: impatient });
    const slow = Array.from({ length: 20 }, () =>
      drip(url, "GET /healthz HTTP/1.1\r\nhost: x\r\nx-slow: "),
    );
    expect((await ask(`${url}/healthz`)).status).toBe(200);
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^$|^HTTP\/1\.1 408 /);
    expect((await ask(`${url}/healthz`)).status).toBe(200);
  });

  it("closes a connection whose request takes too long", async () => {
    const server = await serve({ requests: impatient, bodyTimeoutMs: 60_000 });
    const { runtime, asked } = server;
    // Sends byte by byte until it is disconnected.
    await drip(
      server.url,
      `POST /api/runs HTTP/1.1\r\nhost: ${new URL(server.url).host}\r\nauthorization: ${ownerHeader(runtime)}\r\ncontent-type: application/json\r\ncontent-length: 100000\r\n\r\n`,
    );
    expect(asked).toEqual([]);
    expect((await ask(`${server.url}/healthz`)).status).toBe(200);
  });

  it("sends the client a reference, and reports the error to the operator", async () => {
    const reported: unknown[] = [];
    const { url, runtime } = await serve({
      wrap: withGet(() => Promise.reject(new TypeError("secret words"))),
      onProblem: (...problem) => reported.push(problem),
    });
    const answer = await ask(`${url}/api/runs/${runId}`, {
      headers: { authorization: ownerHeader(runtime) },
    });
    expect(answer).toMatchObject({
      status: 500,
      json: { code: "internal", reference: expect.stringMatching(/^[0-9a-f]{12}$/) },
    });
    expect(answer.text).not.toContain("secret");
    expect(reported).toEqual([
      [
        `A request failed (reference ${answer.json["reference"] as string})`,
        expect.objectContaining({ message: "secret words" }),
      ],
    ]);
  });

  it("finishes an open request, accepts no new one, and closes idle connections at once", async () => {
    const reached = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<RunView>();
    const wrap = withGet(() => {
      reached.resolve();
      return answer.promise;
    });
    // The grace period is longer than the test, so idle connections must not wait for it.
    const server = await serve({ wrap, graceMs: 120_000 });
    const { runtime } = server;
    const headers = { authorization: ownerHeader(runtime) };
    await (await fetch(`${server.url}/healthz`)).text();
    const underWay = fetch(`${server.url}/api/runs/${runId}`, { headers });
    await reached.promise;
    const closed = server.close();
    await expect(ask(`${server.url}/healthz`)).rejects.toMatchObject({ code: "ECONNREFUSED" });
    answer.resolve({ id: runId } as RunView);
    expect(await (await underWay).json()).toEqual({ id: runId });
    await closed;
    await server.close();
  });

  it("waits for an open request only for the grace period", async () => {
    const reached = Promise.withResolvers<void>();
    const wrap = withGet(() => {
      reached.resolve();
      return new Promise(() => undefined);
    });
    const server = await serve({ wrap, graceMs: 100 });
    const { runtime } = server;
    const underWay = ask(`${server.url}/api/runs/${runId}`, {
      headers: { authorization: ownerHeader(runtime) },
    }).catch((error: unknown) => error);
    await reached.promise;
    await server.close();
    expect(await underWay).toMatchObject({ code: "ECONNRESET" });
  });

  it("serves assets with the best encoding that the browser accepts", async () => {
    const webRoot = mkdtempSync(join(tmpdir(), "bron-web-"));
    mkdirSync(join(webRoot, "assets"));
    for (const [name, text] of [
      ["page.js", "plain"],
      ["page.js.br", "small"],
      ["page.js.gz", "smaller"],
      ["other.css", "body {}"],
    ] as const)
      writeFileSync(join(webRoot, "assets", name), text);
    const { url, runtime } = await serve({ webRoot });
    const get = async (name: string, encoding?: string) => {
      const { status, text, headers } = await ask(`${url}/assets/${name}`, {
        headers: {
          authorization: ownerHeader(runtime),
          ...omitUndefined({ "accept-encoding": encoding }),
        },
      });
      return [status, text, headers["content-encoding"], headers["content-type"]];
    };
    expect(await get("page.js", "gzip, deflate, br, zstd")).toEqual([
      200,
      "small",
      "br",
      "text/javascript; charset=utf-8",
    ]);
    expect(await get("page.js", "gzip")).toEqual([
      200,
      "smaller",
      "gzip",
      "text/javascript; charset=utf-8",
    ]);
    expect(await get("page.js", "brother")).toEqual([
      200,
      "plain",
      undefined,
      "text/javascript; charset=utf-8",
    ]);
    expect(await get("page.js")).toEqual([
      200,
      "plain",
      undefined,
      "text/javascript; charset=utf-8",
    ]);
    expect(await get("other.css", "br, gzip")).toEqual([
      200,
      "body {}",
      undefined,
      "text/css; charset=utf-8",
    ]);
    expect((await get("page.js.br", "br"))[0]).toBe(404);
    rmSync(webRoot, { recursive: true });
  });
});
