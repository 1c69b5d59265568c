import { scriptedLanguageModel } from "@bron/testing";
import { defineTool } from "@bron/core";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import { unzipSync } from "fflate";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "../../../../test/support/test-database.ts";
import { ask } from "../../../../test/support/http/ask.ts";
import { createServer, type BronServer } from "../create-server.ts";
import { noServerLimits } from "../../../../test/support/http/no-server-limits.ts";
import { ownerHeader } from "../../../../test/support/http/owner-header.ts";

const ownerId = "local";

const hostile = [
  "../../etc/passwd",
  "/etc/passwd",
  "..\\..\\windows\\system32\\evil.dll",
  "C:\\evil.exe",
  "..",
  ".",
  "",
  "   ",
  "a\0b.txt",
  "a\r\nb.txt",
  "evil\u202Egpj.exe",
  "CON",
  "nul.txt",
  "com1.log",
  "report.pdf",
  "Report.PDF",
  "REPORT.pdf",
  "e\u0301.txt",
  "\u00e9.txt",
  `${"x".repeat(300)}.pdf`,
  `${"x".repeat(299)}y.pdf`,
  `${"漢".repeat(200)}.txt`,
  "~/.bashrc",
  "-rf",
  'a:b|c?d*e<f>g"h',
  "trailing. . .",
  "\u{1F600}.png",
  "half \ud83d pair.txt",
  "__proto__",
  "stra\u00dfe.txt",
  "STRASSE.txt",
];

describe("a run as a zip", () => {
  let database: TestDatabase;
  let runtime: PostgresRuntime;
  let server: BronServer;
  const problems: string[] = [];
  const keep = defineTool({
    name: "keep",
    description: "Keeps files.",
    input: z.object({}),
    async execute(_input: object, context) {
      for (const [index, name] of hostile.entries())
        await context.saveArtifact({
          kind: "file",
          name,
          mediaType: "text/plain",
          bytes: new TextEncoder().encode(`file ${index}`),
        });
      return "kept";
    },
  });
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({}),
    sideEffect: true,
    execute: () => "sent",
  });
  const dump = defineTool({
    name: "dump",
    description: "Says much.",
    input: z.object({}),
    execute: () => "x".repeat(50_000),
  });
  /** Calls the tools that the task names. */
  const model = scriptedLanguageModel(({ turn, options }) => {
    const used = JSON.stringify(options.prompt).match(/use \w+/g) ?? [];
    return turn === 0
      ? {
          reasoning: "a secret thought",
          calls: used.map((use) => ({ tool: use.slice(4), input: {} })),
        }
      : { text: "Done." };
  });
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model, name: "scripted", maxOutputTokens: 100 },
      tools: [keep, send, dump],
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId,
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
      onProblem: (message) => problems.push(message),
    });
  });
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await database.drop();
  });

  const get = (path: string) =>
    ask(`${server.url}${path}`, { headers: { authorization: ownerHeader(runtime) } });
  const exported = (runId: string, init: RequestInit = {}) =>
    fetch(`${server.url}/api/runs/${runId}/export`, {
      ...init,
      headers: { authorization: ownerHeader(runtime) },
    });
  const unzip = async (response: Response) => {
    const files = new Map(Object.entries(unzipSync(new Uint8Array(await response.arrayBuffer()))));
    return { files, textOf: (name: string) => new TextDecoder().decode(files.get(name)) };
  };
  const upload = async (filename: string, bytes: Buffer) => {
    const { upload: announced, token } = await runtime
      .clientFor(ownerId)
      .call("POST /api/uploads/token", {
        body: {
          filename,
          contentType: "text/plain",
          sizeBytes: bytes.length,
        },
      });
    const chunks = async function* () {
      yield bytes;
    };
    return (await runtime.receiveUpload(announced.id, token, chunks())).id;
  };
  const createRun = async (prompt: string, uploadIds: string[] = []) => {
    const client = runtime.clientFor(ownerId);
    const run = await client.call("POST /api/runs", { body: { prompt, uploadIds } });
    for await (const _ of client.events(run.id, { untilParked: true }));
    return run.id;
  };

  it("BR25 contains the run, its log as the API shows it, its approvals and its files", async () => {
    const bytes = Buffer.alloc(1_500_000, "0123456789abcdef\n");
    const runId = await createRun("please use dump and use send", [
      await upload("attached.txt", bytes),
    ]);
    const response = await exported(runId);
    expect([
      response.status,
      response.headers.get("content-type"),
      response.headers.get("content-disposition"),
    ]).toEqual([200, "application/zip", `attachment; filename="bron-run-${runId}.zip"`]);
    const { files, textOf } = await unzip(response);
    expect([...files.keys()]).toEqual([
      "README.txt",
      "run.json",
      "events.jsonl",
      "approvals.json",
      "artifacts/attached.txt",
      "artifacts/dump.txt",
    ]);
    expect(JSON.parse(textOf("run.json"))).toEqual((await get(`/api/runs/${runId}`)).json);
    const lines = textOf("events.jsonl")
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line) as unknown);
    expect(lines).toEqual((await get(`/api/runs/${runId}/events?limit=1000`)).json["events"]);
    expect(textOf("events.jsonl")).not.toContain("secret thought");
    expect(textOf("events.jsonl")).toContain("of 50000 characters are left out here.");
    expect(JSON.parse(textOf("approvals.json"))).toMatchObject([
      { runId, tool: "send", state: "pending" },
    ]);
    expect(Buffer.from(files.get("artifacts/attached.txt") ?? []).equals(bytes)).toBe(true);
    for (const words of [
      "run.json",
      "events.jsonl",
      "approvals.json",
      "artifacts/attached.txt",
      runId,
    ])
      expect(textOf("README.txt")).toContain(words);
  });

  it("BR25 has safe and unique entry names", async () => {
    const runId = await createRun("please use keep");
    const { files, textOf } = await unzip(await exported(runId));
    const names = [...files.keys()]
      .filter((name) => name.startsWith("artifacts/"))
      .map((name) => name.slice("artifacts/".length));
    expect(names).toHaveLength(hostile.length);
    for (const name of names) {
      expect(name).toMatch(/^[^\p{Cc}\p{Cf}\p{Cs}<>:"/\\|?*]{1,120}$/u);
      expect(name).not.toContain("..");
      expect(name).not.toMatch(/^[\s.~-]|[\s.]$|^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i);
      expect(Buffer.byteLength(name)).toBeLessThanOrEqual(240);
    }
    expect(
      new Set(names.map((name) => name.normalize("NFKC").toUpperCase().toLowerCase())).size,
    ).toBe(names.length);
    for (const name of [
      "report.pdf",
      "Report (2).PDF",
      "REPORT (3).pdf",
      "_CON",
      "_nul.txt",
      "file",
      "_.bashrc",
    ])
      expect(names).toContain(name);
    expect(names.filter((name) => name.endsWith(".pdf") && name.startsWith("xxx"))).toHaveLength(2);
    // Each entry has its own content, whatever its name.
    expect(names.map((name) => textOf(`artifacts/${name}`)).toSorted()).toEqual(
      hostile.map((_, index) => `file ${index}`).toSorted(),
    );
  });

  it("BR25 responds to HEAD without a body, and RT12 is not found for another owner", async () => {
    const runId = await createRun("nothing");
    const head = await exported(runId, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([
      200,
      "application/zip",
      "",
    ]);
    const { token } = await runtime.tokens.create("max", { name: "all", scopes: ["read"] });
    expect(
      await ask(`${server.url}/api/runs/${runId}/export`, {
        headers: { authorization: `Bearer ${token}` },
      }),
    ).toMatchObject({ status: 404, json: { code: "not_found" } });
    expect(await get("/api/runs/3f9a1c20-1111-4222-8333-444455556666/export")).toMatchObject({
      status: 404,
    });
    expect((await fetch(`${server.url}/api/runs/${runId}/export`)).status).toBe(401);
  });

  it("BR25 is cut off, and not mistaken for complete, when a file becomes unreadable", async () => {
    const runId = await createRun("nothing", [await upload("a.txt", Buffer.from("will be lost"))]);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await client.query("update blobs set bytes = 'other' where bytes = 'will be lost'");
    await client.end();
    const response = await exported(runId);
    await expect(response.arrayBuffer()).rejects.toThrow();
    expect(problems).toEqual(["A download was cut off"]);
  });
});
