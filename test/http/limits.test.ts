import { createClient, httpTransport } from "@bron/client";
import { createServer, type BronServer } from "@bron/server";
import { scriptedLanguageModel } from "@bron/testing";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ask, json } from "../support/http/ask.ts";
import { readStream } from "../support/http/read-stream.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

/** Several servers on one database, with the default limits. */
describe("limits over several servers", () => {
  let database: TestDatabase;
  let brons: PostgresRuntime[];
  let servers: BronServer[];
  const release = Promise.withResolvers<void>();
  const model = scriptedLanguageModel(async ({ options }) => {
    if (JSON.stringify(options.prompt).includes("hold")) await release.promise;
    return { text: "Done." };
  });
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    const open = (work: "sweep" | "none") =>
      createRuntime({
        work,
        databaseUrl: database.url,
        secretKey: "a secret key for tests that is long enough",
        model: { model, name: "scripted", maxOutputTokens: 100 },
      });
    brons = [await open("sweep"), await open("none")];
    servers = await Promise.all(
      brons.map((runtime, at) =>
        createServer({
          runtime,
          ownerId: "local",
          host: "127.0.0.1",
          port: 0,
          serverId: `s-${at}`,
          behindProxy: true,
        }),
      ),
    );
  });
  afterAll(async () => {
    release.resolve();
    await Promise.all(servers.map((server) => server.close()));
    await Promise.all(brons.map((runtime) => runtime.close()));
    await database.drop();
  });

  const tokenOf = async (ownerId: string) =>
    (
      await brons[0]!.tokens.create(ownerId, {
        name: "all",
        scopes: ["read", "run", "approve", "manage"],
      })
    ).token;
  const post = (at: number, path: string, token: string, body: unknown, address: string) =>
    ask(`${servers[at % 2]!.url}${path}`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${token}`,
        ...json,
        "x-forwarded-for": `6.6.6.6, ${address}`,
      },
      body,
    });

  it("BR10 accepts thirty runs of an owner in a minute over all servers, and says when to try again", async () => {
    const token = await tokenOf("eva");
    const responses = await Promise.all(
      Array.from({ length: 45 }, (_, at) =>
        post(at, "/api/runs", token, { prompt: `task ${at}` }, "192.0.2.1"),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(30);
    const refused = responses.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(15);
    for (const { headers, json: problem } of refused) {
      expect(problem).toMatchObject({
        code: "rate_limited",
        detail: expect.stringContaining("try again in"),
      });
      expect(Number(headers["retry-after"])).toBeGreaterThan(50);
      expect(Number(headers["retry-after"])).toBeLessThanOrEqual(60);
    }
    expect(await brons[0]!.clientFor("eva").list("GET /api/runs", { limit: 100 })).toHaveLength(30);
    // Retries and the agent runtime create runs too.
    expect((await post(0, "/api/agent/run", token, { prompt: "x" }, "192.0.2.1")).status).toBe(429);
    // Other owners are not affected.
    expect(
      (await post(0, "/api/runs", await tokenOf("max"), { prompt: "x" }, "192.0.2.9")).status,
    ).toBe(201);
  });

  it("BR10 accepts sixty runs from one address in a minute, for all owners, and ignores forwarding headers of a client", async () => {
    const tokens = await Promise.all(Array.from({ length: 5 }, (_, at) => tokenOf(`owner-${at}`)));
    const responses = await Promise.all(
      Array.from({ length: 75 }, (_, at) =>
        post(at, "/api/runs", tokens[at % 5]!, { prompt: "x" }, "192.0.2.2"),
      ),
    );
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(60);
  });

  const unknown = "3f9a1c20-1111-4222-8333-444455556666";

  it("BR10 accepts sixty decisions of an owner in a minute, counting each one in a batch; a batch is accepted or refused as a unit", async () => {
    const [one, two] = [await tokenOf("decides"), await tokenOf("decides")];
    const batchOf = (count: number) => ({
      approve: [],
      deny: Array.from({ length: count }, () => ({ id: unknown, digest: "x" })),
    });
    // A batch that is larger than the limit can never succeed, so waiting would not help.
    expect(await post(0, "/api/approvals/batch", one, batchOf(61), "192.0.2.3")).toMatchObject({
      status: 413,
      json: { code: "too_large" },
    });
    const denied = await post(0, "/api/approvals/batch", one, batchOf(60), "192.0.2.3");
    expect(denied).toMatchObject({
      status: 200,
      json: { deny: expect.toSatisfy((outcomes: unknown[]) => outcomes.length === 60) },
    });
    // All sixty decisions were refused, so the limit of accepted ones is untouched, and the limit
    // of refused ones is used up.
    const [again, single, send] = [
      await post(1, "/api/approvals/batch", two, batchOf(2), "192.0.2.3"),
      await post(0, `/api/approvals/${unknown}/deny`, one, { digest: "x" }, "192.0.2.3"),
      await post(0, `/api/runs/${unknown}/approve-send`, one, { approved: true }, "192.0.2.3"),
    ];
    expect(again).toMatchObject({
      status: 200,
      json: {
        deny: [
          { ok: false, error: { code: "rate_limited" } },
          { ok: false, error: { code: "rate_limited" } },
        ],
      },
    });
    for (const refused of [single, send]) {
      expect(refused).toMatchObject({ status: 429, json: { code: "rate_limited" } });
      expect(Number(refused.headers["retry-after"])).toBeGreaterThan(0);
    }
  });

  it("BR10 accepts five redirects to a consent page and five returns from one in a minute", async () => {
    const token = await tokenOf("eva");
    const connect = (at: number) =>
      ask(`${servers[at % 2]!.url}/api/gmail/connect`, {
        headers: { authorization: `Bearer ${token}` },
      });
    expect(
      (await Promise.all(Array.from({ length: 8 }, (_, at) => connect(at)))).filter(
        ({ status }) => status === 429,
      ),
    ).toHaveLength(3);
    const callback = (at: number) =>
      ask(`${servers[at % 2]!.url}/api/gmail/callback?state=x&code=y`, {
        headers: { "x-forwarded-for": "192.0.2.4" },
      });
    expect(
      (await Promise.all(Array.from({ length: 8 }, (_, at) => callback(at)))).filter(
        ({ status }) => status === 429,
      ),
    ).toHaveLength(3);
  });

  it("BR10 BR7 opens thirty streams of an owner over all servers; the next client polls and misses nothing", async () => {
    const token = await tokenOf("streams");
    const run = await brons[0]!
      .clientFor("streams")
      .call("POST /api/runs", { body: { prompt: "hold on" } });
    const headers = { authorization: `Bearer ${token}` };
    const readers = await Promise.all(
      Array.from({ length: 30 }, (_, at) =>
        readStream(
          `${servers[at % 2]!.url}${at === 1 ? `/api/runs/${run.id}/stream` : "/api/stream"}`,
          headers,
        ),
      ),
    );
    const next = await ask(`${servers[0]!.url}/api/runs/${run.id}/stream`, { headers });
    expect(next).toMatchObject({ status: 429, json: { code: "rate_limited" } });
    expect(Number(next.headers["retry-after"])).toBeGreaterThan(0);
    const client = createClient({
      transport: httpTransport({
        url: servers[0]!.url,
        authorize: () => headers.authorization,
        times: { pollMs: 50 },
      }),
    });
    const states: string[] = [];
    const seen: number[] = [];
    const reading = (async () => {
      for await (const { seq } of client.events(run.id, {
        onConnection: (state) => states.push(state),
      }))
        seen.push(seq);
    })();
    await expect.poll(() => states).toEqual(["polling"]);
    release.resolve();
    await reading;
    expect(seen).toEqual(Array.from({ length: seen.length }, (_, at) => at + 1));
    expect(seen.length).toBe(
      (await brons[0]!.clientFor("streams").call("GET /api/runs/:id", { params: { id: run.id } }))
        .lastSeq,
    );
    // A released stream can be opened again.
    readers[0]!.leave();
    await expect
      .poll(
        async () =>
          (
            await fetch(`${servers[1]!.url}/api/stream`, {
              headers,
              signal: AbortSignal.timeout(1_000),
            }).catch(() => ({ status: 0 }))
          ).status,
      )
      .toBe(200);
    for (const reader of readers) reader.leave();
  });

  it("BR6 reports every change of an owner's runs to lists, wherever it is made", async () => {
    const reader = await readStream(`${servers[0]!.url}/api/stream`, {
      authorization: `Bearer ${await tokenOf("lists")}`,
    });
    await reader.until((frames) => frames.some(({ event }) => event === "reset"));
    const run = await brons[1]!
      .clientFor("lists")
      .call("POST /api/runs", { body: { prompt: "Say it" } });
    await brons[1]!
      .clientFor("someone else")
      .call("POST /api/runs", { body: { prompt: "Say it" } });
    const changes = () =>
      reader.frames.flatMap(({ event, data }) =>
        event === "run"
          ? [(JSON.parse(data ?? "{}") as { run: { id: string; status: string } }).run]
          : [],
      );
    await reader.until(() => changes().some(({ status }) => status === "completed"));
    expect(new Set(changes().map(({ id }) => id))).toEqual(new Set([run.id]));
    reader.leave();
  });
});
