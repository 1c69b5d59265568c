import { scriptedLanguageModel } from "@bron/testing";
import { defineTool } from "@bron/core";
import { omitUndefined, type RunView, type ThreadView } from "@bron/protocol";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import { unzipSync } from "fflate";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ask, json } from "../../../test/support/http/ask.ts";
import { noServerLimits } from "../../../test/support/http/no-server-limits.ts";
import { createTestDatabase, type TestDatabase } from "../../../test/support/test-database.ts";
import { createServer, type BronServer } from "./create-server.ts";

const send = defineTool({
  name: "send",
  description: "Sends.",
  input: z.object({}),
  sideEffect: true,
  execute: () => "sent",
});
const keep = defineTool({
  name: "keep",
  description: "Keeps a file.",
  input: z.object({}),
  async execute(_input: object, context) {
    const bytes = new TextEncoder().encode("kept words");
    await context.saveArtifact({ kind: "file", name: "a.txt", mediaType: "text/plain", bytes });
    return "kept";
  },
});

describe("threads over HTTP", () => {
  let database: TestDatabase;
  let runtime: PostgresRuntime;
  let server: BronServer;
  let authorization: string;
  /** Calls the tool that the newest task names. */
  const model = scriptedLanguageModel(({ turn, options }) => {
    const used = JSON.stringify(options.prompt)
      .match(/use \w+/g)
      ?.at(-1);
    return turn === 0 && used !== undefined
      ? { calls: [{ tool: used.slice(4), input: {} }] }
      : { text: "Done." };
  });
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model, name: "scripted", maxOutputTokens: 100 },
      tools: [send, keep],
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
    });
    const { token } = await runtime.tokens.create("eva", {
      name: "all",
      scopes: ["read", "run", "manage"],
    });
    authorization = `Bearer ${token}`;
  });
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await database.drop();
  });

  const call = async (method: string, path: string, body?: unknown) =>
    await ask(`${server.url}/api${path}`, {
      method,
      headers: { authorization, ...(body === undefined ? {} : json) },
      ...omitUndefined({ body }),
    });
  const createRun = async (prompt: string, threadId?: string): Promise<RunView> => {
    const client = runtime.clientFor("eva");
    const run = await client.call("POST /api/runs", {
      body: {
        prompt,
        ...omitUndefined({ threadId }),
      },
    });
    for await (const _ of client.events(run.id, { untilParked: true }));
    return await client.call("GET /api/runs/:id", { params: { id: run.id } });
  };

  it("RT12 lists threads in pages, shows one with its runs, and renames it", async () => {
    const first = await createRun("hello");
    const second = await createRun("hello again", first.threadId);
    const other = await createRun("please use send");
    const page = await call("GET", "/threads?limit=1");
    expect(page.json["threads"]).toMatchObject([
      { id: other.threadId, status: "awaiting_confirmation", waitsForOwner: true, runCount: 1 },
    ]);
    const rest = await call("GET", `/threads?before=${page.json["next"] as string}`);
    expect(rest.json).toMatchObject({
      threads: [{ id: first.threadId, title: "hello", runCount: 2, waitsForOwner: false }],
      next: null,
    });
    for (const before of ["x", `2026-99-99T00:00:00.000Z_${first.id}`, first.id])
      expect((await call("GET", `/threads?before=${before}`)).status).toBe(400);
    const shown = await call("GET", `/threads/${first.threadId}`);
    expect(shown.json).toMatchObject({ title: "hello", status: "completed", next: null });
    const idsOf = (response: { readonly json: Record<string, unknown> }) =>
      (response.json["runs"] as RunView[]).map(({ id }) => id);
    expect(idsOf(shown)).toEqual([first.id, second.id]);
    const newest = await call("GET", `/threads/${first.threadId}?limit=1`);
    expect([idsOf(newest), newest.json["next"]]).toEqual([[second.id], second.id]);
    expect(idsOf(await call("GET", `/threads/${first.threadId}?before=${second.id}`))).toEqual([
      first.id,
    ]);
    const renamed = await call("PATCH", `/threads/${first.threadId}`, {
      title: "  Greetings \ud800",
    });
    expect((renamed.json as unknown as ThreadView).title).toBe("Greetings \uFFFD");
    for (const title of ["", "   ", "x".repeat(201)])
      expect((await call("PATCH", `/threads/${first.threadId}`, { title })).status).toBe(400);
  });

  it("BR25 exports all runs of a thread as a zip", async () => {
    const first = await createRun("please use keep");
    const second = await createRun("hello", first.threadId);
    const response = await fetch(`${server.url}/api/threads/${first.threadId}/export`, {
      headers: { authorization },
    });
    expect(response.headers.get("content-disposition")).toBe(
      `attachment; filename="bron-thread-${first.threadId}.zip"`,
    );
    const files = unzipSync(new Uint8Array(await response.arrayBuffer()));
    const names = Object.keys(files);
    expect(names.slice(0, 2)).toEqual(["README.txt", "thread.json"]);
    const textOf = (end: string) =>
      new TextDecoder().decode(files[names.find((name) => name.endsWith(end)) ?? ""]);
    expect(JSON.parse(textOf("thread.json"))).toMatchObject({ id: first.threadId, runCount: 2 });
    for (const { id } of [first, second]) {
      expect(JSON.parse(textOf(`${id}/run.json`))).toMatchObject({ id });
      expect(textOf(`${id}/events.jsonl`)).toContain(id);
    }
    expect(textOf(`${first.id}/artifacts/a.txt`)).toBe("kept words");
    for (const name of names) expect(name).toMatch(/^[\w .-]+(?:\/[\w .-]+)*$/);
  });

  it("RT12 finds, archives and pins threads, and counts pinned ones in pages", async () => {
    const first = await createRun("about a heron");
    const second = await createRun("about an egret");
    const titlesOf = async (query: string) =>
      ((await call("GET", `/threads?${query}`)).json["threads"] as ThreadView[]).map(
        ({ title }) => title,
      );
    expect(await titlesOf("query=Her")).toEqual(["about a heron"]);
    expect(await titlesOf("query=about%20her!")).toEqual(["about a heron"]);
    expect(await titlesOf("query=%20%3F!")).toEqual([]);
    expect(await titlesOf(`query=about&bronId=${first.bronId}&state=done`)).toHaveLength(2);
    expect(await titlesOf("query=about&state=working")).toEqual([]);
    const archived = await call("PATCH", `/threads/${first.threadId}`, { archived: true });
    expect(archived.json).toMatchObject({ title: "about a heron", pinnedAt: null });
    expect(archived.json["archivedAt"]).not.toBeNull();
    expect(await titlesOf("query=about")).toEqual(["about an egret"]);
    expect(await titlesOf("query=about&archived=only")).toEqual(["about a heron"]);
    expect(await titlesOf("query=about&archived=also")).toHaveLength(2);
    expect(await titlesOf(`idPrefix=${first.threadId.slice(0, 8)}`)).toEqual(["about a heron"]);
    await call("PATCH", `/threads/${first.threadId}`, { archived: false, pinned: true });
    const page = await call("GET", "/threads?limit=1");
    expect(page.json).toMatchObject({
      threads: [{ id: first.threadId }],
      next: expect.stringMatching(/^p_/),
    });
    const rest = await call("GET", `/threads?limit=1&before=${page.json["next"] as string}`);
    expect(rest.json["threads"]).toMatchObject([{ id: second.threadId }]);
    for (const [method, path, body] of [
      ["PATCH", `/threads/${first.threadId}`, {}],
      ["PATCH", `/threads/${first.threadId}`, { pinned: "yes" }],
      ["GET", `/threads?query=${"x".repeat(201)}`],
      ["GET", "/threads?state=over"],
    ] as const)
      expect((await call(method, path, body)).status).toBe(400);
  });

  it("RT12 stops the runs of a thread, deletes it, and keeps the audit log", async () => {
    const run = await createRun("please use send");
    const path = `/threads/${run.threadId}`;
    expect((await call("DELETE", path)).status).toBe(204);
    expect((await call("DELETE", path)).status).toBe(404);
    expect((await call("GET", path)).status).toBe(404);
    expect((await call("GET", `/runs/${run.id}`)).status).toBe(404);
    const audit = await call("GET", "/audit?what=thread.deleted");
    expect(audit.json["audit"]).toMatchObject([{ details: { threadId: run.threadId, runs: 1 } }]);
    expect((await call("GET", `/audit?runId=${run.id}`)).json["audit"]).not.toEqual([]);
  });
});
