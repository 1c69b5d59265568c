import { api } from "@bron/protocol";
import { createServer, type BronServer } from "@bron/server";
import { isFullSuite, scriptedLanguageModel } from "@bron/testing";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import { Agent, request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ask, json } from "../support/http/ask.ts";
import { noServerLimits } from "../support/http/no-server-limits.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

const total = isFullSuite ? 10_000 : 1_500;
const secret = "a secret key for tests that is long enough";

/**
 * A client sends bad requests. The server responds correctly, other clients are not affected, and
 * no secret is revealed.
 */
describe("a server under bad requests", () => {
  let database: TestDatabase;
  let runtime: PostgresRuntime;
  let server: BronServer;
  let token: string;
  const problems: string[] = [];
  const logged: unknown[] = [];
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: secret,
      model: {
        model: scriptedLanguageModel(() => ({ text: "Done." })),
        name: "scripted",
        maxOutputTokens: 100,
      },
      onProblem: (message) => problems.push(message),
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      onProblem: (message, error) => problems.push(`${message} ${String(error)}`),
      onRequest: (entry) => logged.push(entry),
    });
    token = (
      await runtime.tokens.create("local", {
        name: "all",
        scopes: ["read", "run", "approve", "manage"],
      })
    ).token;
  });
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await database.drop();
  });
  const as = () => ({ authorization: `Bearer ${token}` });
  const port = () => Number(new URL(server.url).port);

  it(
    `responds correctly to ${total} junk requests, without an internal error, and serves other clients meanwhile`,
    { timeout: 60_000 },
    async () => {
      const random = createRandom(7);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
      const keys = Object.keys(api).filter(
        (key) => !key.endsWith("/stream") && !/^GET \/api\/stream|demo|agent/.test(key),
      );
      const noise = () =>
        Array.from({ length: Math.floor(random() * 24) }, () =>
          String.fromCodePoint(32 + Math.floor(random() * 95)),
        ).join("");
      const values = [
        "../../etc/passwd",
        "..%2f..%2fetc%2fpasswd",
        "%00",
        "%ff%fe",
        "'; drop table runs; --",
        "${7*7}",
        "-1",
        "9".repeat(40),
        "\u202e",
        "a".repeat(300),
        "null",
        "[]",
        "{}",
        "3f9a1c20-1111-4222-8333-444455556666",
      ];
      const bodies = [
        "",
        "{",
        "[]",
        "null",
        '"x"',
        '{"prompt":1}',
        '{"__proto__":{"x":1}}',
        `{"prompt":"${"x".repeat(50)}","caps":{"modelTurns":1e999}}`,
        "[".repeat(500),
        '{"digest":null}',
        '{"level":"root"}',
        "\u0000",
        '{"approve":[{"id":"x","digest":"y"}]}',
      ];
      const types = [
        "application/json",
        "application/json; charset=utf-8",
        "text/plain",
        "multipart/form-data; boundary=x",
        "",
      ];
      const statuses = new Map<number, number>();
      const agent = new Agent({ keepAlive: true, maxSockets: 8 });
      let sent = 0;
      const before = process.memoryUsage().heapUsed;
      // Measures how many junk requests are sent while another client waits. It must be served in
      // between, not after them.
      let longestWait = 0;
      const bystander = (async () => {
        for (let asked = 0; asked < 50 && sent < total; asked++) {
          const before = sent;
          expect((await ask(`${server.url}/healthz`)).status).toBe(200);
          longestWait = Math.max(longestWait, sent - before);
        }
      })();
      const junk = async () => {
        const [method = "", path = ""] =
          random() < 0.1
            ? [
                pick(["GET", "POST", "PUT", "PATCH", "DELETE", "PROPFIND", "OPTIONS"]),
                `/${encodeURIComponent(noise())}`,
              ]
            : pick(keys).split(" ");
        const address =
          path.replace(/:\w+/g, () => encodeURIComponent(pick(values)).replaceAll("%25", "%")) +
          (random() < 0.3
            ? `?${encodeURIComponent(pick(["limit", "before", "afterSeq", "status", "token", "zone", "days"]))}=${encodeURIComponent(pick(values))}`
            : "");
        const body = method === "GET" || method === "DELETE" ? undefined : pick(bodies);
        const status = await send({
          agent,
          port: port(),
          method,
          path: address,
          headers: {
            ...(random() < 0.8
              ? as()
              : { authorization: pick(["Bearer x", "Basic eDp5", "Bearer bron_x"]) }),
            ...(body === undefined
              ? {}
              : { "content-type": pick(types), "content-length": Buffer.byteLength(body) }),
            ...(random() < 0.1 ? { "idempotency-key": encodeURIComponent(noise()) } : {}),
          },
          body,
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      };
      await Promise.all(
        Array.from({ length: 8 }, async () => {
          while (sent++ < total) await junk();
        }),
      );
      agent.destroy();
      await bystander;
      expect([...statuses.values()].reduce((sum, count) => sum + count, 0)).toBe(total);
      expect(
        [...statuses.keys()].filter((status) => status >= 500),
        JSON.stringify([...statuses]),
      ).toEqual([]);
      expect(problems).toEqual([]);
      expect(
        (statuses.get(404) ?? 0) +
          (statuses.get(400) ?? 0) +
          (statuses.get(401) ?? 0) +
          (statuses.get(415) ?? 0) +
          (statuses.get(405) ?? 0),
      ).toBeGreaterThan(total / 2);
      expect(longestWait).toBeLessThan(total / 5);
      expect(process.memoryUsage().heapUsed - before).toBeLessThan(300 * 1024 * 1024);
      expect(await ask(`${server.url}/readyz`)).toMatchObject({ status: 200 });
    },
  );

  it("copies no client header into its response headers", async () => {
    const key = "k\r\nset-cookie: evil=1";
    await expect(
      Promise.resolve().then(() =>
        ask(`${server.url}/api/runs`, {
          method: "POST",
          headers: { ...as(), ...json, "idempotency-key": key },
          body: { prompt: "x" },
        }),
      ),
    ).rejects.toMatchObject({ code: "ERR_INVALID_CHAR" });
    // Sends it over a raw socket, because an HTTP client refuses to.
    const raw = await exchange(
      port(),
      `POST /api/runs HTTP/1.1\r\nhost: 127.0.0.1:${port()}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\nidempotency-key: a\u0001b\r\ncontent-length: 14\r\nconnection: close\r\n\r\n{"prompt":"x"}`,
    );
    expect(raw).toMatch(/^HTTP\/1\.1 400 /);
    expect(raw).not.toMatch(/set-cookie/i);
    const traced = await ask(`${server.url}/healthz`, {
      headers: { "x-request-id": "evil id; with=things" },
    });
    expect(traced.headers["x-request-id"]).toMatch(/^[\w-]{1,64}$/);
    expect(
      (await ask(`${server.url}/healthz`, { headers: { "x-request-id": "mine-1" } })).headers[
        "x-request-id"
      ],
    ).toBe("mine-1");
  });

  it("does not treat one request as two", async () => {
    for (const trick of [
      "content-length: 5\r\ntransfer-encoding: chunked",
      "content-length: 5\r\ncontent-length: 6",
      "transfer-encoding: chunked, identity",
    ]) {
      const answer = await exchange(
        port(),
        `POST /api/runs HTTP/1.1\r\nhost: 127.0.0.1:${port()}\r\nauthorization: Bearer ${token}\r\ncontent-type: application/json\r\n${trick}\r\n\r\n0\r\n\r\nGET /api/me HTTP/1.1\r\nhost: 127.0.0.1:${port()}\r\nauthorization: Bearer ${token}\r\n\r\n`,
      );
      expect(answer.match(/HTTP\/1\.1 \d{3}/g) ?? [], trick).toEqual(["HTTP/1.1 400"]);
    }
  });

  it("refuses a request with two Host headers, in either order", async () => {
    const own = `127.0.0.1:${port()}`;
    for (const hosts of [
      [own, "evil.example"],
      ["evil.example", own],
      [own, own],
    ]) {
      const answer = await exchange(
        port(),
        `GET /healthz HTTP/1.1\r\nhost: ${hosts[0]}\r\nHost: ${hosts[1]}\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"invalid_input"/);
    }
  });

  it("serves no file outside of its own folder", async () => {
    for (const path of [
      "/assets/..%2f..%2fpackage.json",
      "/assets/%2e%2e/package.json",
      "/assets/../../package.json",
      "/api/artifacts/..%2f..%2fetc%2fpasswd",
      "/assets/.env",
      "/assets/x.js%00.css",
      "//etc/passwd",
      "/assets/..\\..\\package.json",
    ]) {
      const { status, text } = await ask(`${server.url}/`.slice(0, -1) + path, { headers: as() });
      expect([400, 404], path).toContain(status);
      expect(text).not.toContain("bron-repository");
    }
  });

  it("BR23 logs a request without its text, its secrets or its address", async () => {
    logged.length = 0;
    await ask(`${server.url}/api/runs?limit=7&before=3f9a1c20-1111-4222-8333-444455556666`, {
      headers: as(),
    });
    await ask(`${server.url}/api/runs`, {
      method: "POST",
      headers: { ...as(), ...json, cookie: "bron_session_1=a-cookie" },
      body: { prompt: "very private words" },
    });
    await ask(`${server.url}/sign-in?token=a-sign-in-token`);
    await expect.poll(() => logged.length).toBe(3);
    const text = JSON.stringify(logged);
    for (const word of ["private words", token, "a-cookie", "a-sign-in-token", "3f9a1c20"])
      expect(text).not.toContain(word);
    expect(logged[0]).toMatchObject({
      method: "GET",
      route: "/api/runs",
      status: 200,
      ownerId: "local",
    });
  });
});

interface Sent {
  readonly agent: Agent;
  readonly port: number;
  readonly method: string;
  readonly path: string;
  readonly headers: Record<string, string | number>;
  readonly body: string | undefined;
}

function send({ agent, port, method, path, headers, body }: Sent): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent = request({ agent, host: "127.0.0.1", port, method, path, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? 0));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(body);
  });
}

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    let answer = "";
    socket
      .on("data", (chunk) => (answer += chunk.toString()))
      .on("error", () => undefined)
      .on("close", () => resolve(answer));
    socket.end(text, "latin1");
  });
}

/** A fixed seed, so that every run sends the same junk. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
