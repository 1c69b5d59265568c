// One client over both transports, on one runtime and database: what it gets must be the same.
import { createClient, httpTransport, type Client } from "@bron/client";
import { defineTool } from "@bron/core";
import { scopes } from "@bron/protocol";
import {
  createRuntime,
  createAppServices,
  inProcessTransport,
  type PostgresRuntime,
} from "@bron/runtime";
import { createServer, exportThread, type BronServer } from "@bron/server";
import { scriptedLanguageModel } from "@bron/testing";
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { noServerLimits } from "../support/http/no-server-limits.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

const ownerId = "local";
const post = defineTool({
  name: "post_note",
  description: "Posts a note.",
  input: z.object({ text: z.string() }),
  sideEffect: true,
  prepare: ({ text }) => ({ prepared: { text }, preview: `Post ${text}` }),
  execute: () => "posted",
});

describe("a client over HTTP and in process", () => {
  let database: TestDatabase;
  let runtime: PostgresRuntime;
  let server: BronServer;
  let overHttp: Client;
  let inProcess: Client;

  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key of the transports test, long",
      tools: [post],
      model: {
        model: scriptedLanguageModel(({ turn }) =>
          turn === 0
            ? { calls: [{ tool: "post_note", input: { text: "lunch" } }] }
            : { text: "Done." },
        ),
        name: "scripted",
        maxOutputTokens: 100,
      },
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId,
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
    });
    const { token } = await runtime.tokens.create(ownerId, {
      name: "both",
      scopes: [...scopes],
      days: 1,
    });
    overHttp = createClient({
      transport: httpTransport({ url: server.url, authorize: () => `Bearer ${token}` }),
    });
    const about = { ...(await overHttp.call("GET /api/about")) };
    inProcess = createClient({
      transport: inProcessTransport({
        runtime,
        services: { ...runtime.services, ...createAppServices({ about, ownerId, runtime }) },
        caller: { ownerId, via: "terminal", scopes: [...scopes], email: null },
        async *exportThread(threadId) {
          yield* (await exportThread(runtime, ownerId, threadId)).bytes;
        },
      }),
    });
  }, 60_000);
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await database.drop();
  });

  const both = async <T>(use: (client: Client) => Promise<T>): Promise<T> => {
    const [first, second] = [await use(overHttp), await use(inProcess)];
    expect(second).toEqual(first);
    return first;
  };
  const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const all: T[] = [];
    for await (const item of items) all.push(item);
    return all;
  };

  it("sees the same run, log, approval and audit log", async () => {
    const { id } = await inProcess.call("POST /api/runs", {
      body: { prompt: "Post that lunch is ready" },
    });
    const params = { id };
    await collect(inProcess.events(id, { untilParked: true }));
    const [approval] = await both((client) =>
      client.list("GET /api/approvals", { pending: "true" }),
    );
    await inProcess.call("POST /api/approvals/:id/approve", {
      params: { id: approval!.id },
      body: { digest: approval!.digest },
    });
    await collect(overHttp.events(id));
    expect(await both((client) => client.call("GET /api/runs/:id", { params }))).toMatchObject({
      status: "completed",
    });
    const events = await both((client) => collect(client.events(id)));
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect((await both((client) => client.list("GET /api/runs"))).map((run) => run.id)).toEqual([
      id,
    ]);
    const listed = await both((client) => client.call("GET /api/runs/:id/actions", { params }));
    expect(listed.actions).toHaveLength(1);
    expect(
      await both((client) => client.call("GET /api/runs/:id/effects", { params })),
    ).toMatchObject({ effects: [{ state: "done" }] });
    const [thread] = await both((client) => client.list("GET /api/threads"));
    const zip = await both(async (client) =>
      Buffer.concat(await collect(client.exportThread(thread!.id))).toString("base64"),
    );
    expect(zip.length).toBeGreaterThan(1_000);
    const rows = await both((client) => collect(client.auditRows({})));
    expect(rows.length).toBeGreaterThan(1);
    await both((client) => client.list("GET /api/audit"));
    await both((client) => client.list("GET /api/activity", { search: "note" }));
    await both((client) => client.call("GET /api/permissions"));
    await both((client) => client.call("GET /api/about"));
  }, 60_000);

  it("creates a run once for a key, whichever transport repeats it", async () => {
    const idempotencyKey = randomUUID();
    const input = { prompt: "Post that dinner is ready" };
    const request = { body: input, idempotencyKey };
    const first = await inProcess.call("POST /api/runs", request);
    expect((await overHttp.call("POST /api/runs", request)).id).toBe(first.id);
  });

  it("uploads and reads the same bytes", async () => {
    const bytes = new Blob(["one, two\n"], { type: "text/plain" });
    const file = { filename: "a.txt", contentType: "text/plain", bytes };
    const [first, second] = [await overHttp.upload(file), await inProcess.upload(file)];
    expect(second).toEqual({ ...first, id: second.id, createdAt: second.createdAt });
  });

  it.each([
    [
      "an unknown run",
      (client: Client) => client.call("GET /api/runs/:id", { params: { id: randomUUID() } }),
    ],
    ["an empty task", (client: Client) => client.call("POST /api/runs", { body: { prompt: "" } })],
    [
      "a wrong digest",
      async (client: Client) => {
        const [approval] = await client.list("GET /api/approvals");
        await client.call("POST /api/approvals/:id/approve", {
          params: { id: approval?.id ?? "" },
          body: { digest: `sha256:${"0".repeat(64)}` },
        });
      },
    ],
    [
      "an account that is not connected",
      (client: Client) =>
        client.call("POST /api/connections/:provider/disconnect", { params: { provider: "none" } }),
    ],
  ])("fails with the same code: %s", async (_, use) => {
    const codeOf = (client: Client) =>
      use(client).then(
        () => "done",
        (error: { code?: string }) => error.code,
      );
    const code = await codeOf(overHttp);
    expect(await codeOf(inProcess)).toBe(code);
    expect(code).not.toBe("done");
  });
});
