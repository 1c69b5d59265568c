import { api, scopes, type ApiKey } from "@bron/protocol";
import { createServer, type BronServer } from "@bron/server";
import { scriptedLanguageModel } from "@bron/testing";
import { defineClientTool, defineTool } from "@bron/core";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ask, json } from "../support/http/ask.ts";
import { noServerLimits } from "../support/http/no-server-limits.ts";
import { createTestDatabase, type TestDatabase } from "../support/test-database.ts";

const tools = [
  defineClientTool({
    name: "look",
    description: "Looks at a page.",
    input: z.object({}),
    output: z.string(),
    program: "page",
    deadlineMs: 3_600_000,
    ifExpired: "failed",
  }),
  defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({ to: z.string() }),
    sideEffect: true,
    execute: ({ to }: { to: string }) => `sent ${to}`,
  }),
  defineTool({
    name: "keep",
    description: "Keeps a file.",
    input: z.object({}),
    async execute(_input: object, context) {
      await context.saveArtifact({
        kind: "file",
        name: "a.txt",
        mediaType: "text/plain",
        bytes: new TextEncoder().encode("private words"),
      });
      return "kept";
    },
  }),
];

/** Came with the task, so that it can be put back. */
const mail = "a mail";

/** An owner cannot read, change or detect the data of another owner. */
describe("several owners of one server", () => {
  let database: TestDatabase;
  let runtime: PostgresRuntime;
  let server: BronServer;
  let tokens: { eva: string; max: string };
  let ids: Readonly<Record<string, string>>;
  const model = scriptedLanguageModel(({ turn }) =>
    turn === 0
      ? {
          calls: [
            { tool: "keep", input: {} },
            { tool: "send", input: { to: "someone@example.com" } },
            { tool: "ask_user", input: { question: "Really?" } },
            { tool: "look", input: {} },
          ],
        }
      : { text: "Done." },
  );

  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model, name: "scripted", maxOutputTokens: 100 },
      modelFromKey: () => ({ model, name: "own", maxOutputTokens: 100 }),
      tools,
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId: "local",
      host: "127.0.0.1",
      port: 0,
      serverId: "s",
    });
    const tokenOf = async (ownerId: string) =>
      (
        await runtime.tokens.create(ownerId, {
          name: "all",
          scopes: [...scopes],
        })
      ).token;
    tokens = { eva: await tokenOf("eva"), max: await tokenOf("max") };
    const client = runtime.clientFor("eva");
    const run = await client.call("POST /api/runs", { body: { prompt: "Do it", context: [mail] } });
    for await (const _ of client.events(run.id, { untilParked: true }));
    const params = { id: run.id };
    const [approval] = await client.list("GET /api/approvals", { runId: run.id });
    const [question] = await client.list("GET /api/questions", { runId: run.id });
    const [action] = await client.list("GET /api/client-actions", { runId: run.id });
    const { secret: handed } = await client.call("POST /api/runs/:id/actions/:actionId/take", {
      params: { id: run.id, actionId: action?.id ?? "" },
    });
    secret = handed;
    const [artifact] = (await client.call("GET /api/runs/:id/artifacts", { params })).artifacts;
    const [effect] = (await client.call("GET /api/runs/:id/effects", { params })).effects;
    await client.call("POST /api/permissions/rules", {
      body: { bronId: null, tool: "keep", verdict: "allow" },
    });
    await client.call("POST /api/permissions/allowed", { body: { value: "friend@example.com" } });
    await client.call("POST /api/permissions/grants", {
      body: { bronId: null, tool: "send", recipient: "friend@example.com", days: 7 },
    });
    const { rules, allowed, grants } = await client.call("GET /api/permissions");
    const { id: session } = await runtime.sessions.open("eva", {
      via: "link",
      userAgent: "a browser",
      lifeMs: 60_000,
    });
    await client.call("PUT /api/model-keys/:provider", {
      params: { provider: "gemini" },
      body: { key: "a-key-of-evas-own" },
    });
    const { upload } = await client.call("POST /api/uploads/token", {
      body: { filename: "a.txt", contentType: "text/plain", sizeBytes: 5 },
    });
    const memory = await client.call("POST /api/memory", { body: { text: "I like tea." } });
    await client.call("PATCH /api/brons/:id", {
      params: { id: run.bronId },
      body: { memorySummary: "Likes tea." },
    });
    const schedule = await client.call("POST /api/schedules", {
      body: { prompt: "Sum up my day", kind: "cron", expression: "0 8 * * *", zone: "UTC" },
    });
    const {
      tokens: [token],
    } = await client.call("GET /api/tokens");
    ids = {
      runs: run.id,
      schedules: schedule.id,
      threads: run.threadId,
      brons: run.bronId,
      approvals: approval?.id ?? "",
      questions: question?.id ?? "",
      actions: action?.id ?? "",
      artifacts: artifact?.digest ?? "",
      effects: effect?.id ?? "",
      rules: rules[0]?.id ?? "",
      allowed: allowed[0]?.id ?? "",
      grants: grants[0]?.id ?? "",
      sessions: session,
      tokens: token?.id ?? "",
      uploads: upload.id,
      run: run.id,
      "model-keys": "gemini",
      memory: memory.id,
    };
    digest = approval?.digest ?? "";
  });
  let digest = "";
  let secret = "";
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await database.drop();
  });

  /** Fills in the id that belongs to the segment before each parameter. */
  const addressOf = (path: string) =>
    path.replace(/([\w-]+)\/:\w+/g, (_, kind: string) => `${kind}/${ids[kind] ?? kind}`);
  /** Valid bodies, so that requests can fail only because of the owner. */
  const bodies: Partial<Record<ApiKey, () => unknown>> = {
    "POST /api/approvals/:id/approve": () => ({ digest }),
    "POST /api/approvals/:id/deny": () => ({ digest }),
    "POST /api/approvals/:id/snooze": () => ({ until: null }),
    "POST /api/approvals/:id/edit": () => ({ digest, changes: {} }),
    "POST /api/approvals/:id/reply": () => ({ digest, words: "No." }),
    "POST /api/questions/:id/answer": () => ({ typed: "Yes." }),
    "POST /api/runs/:id/actions/:actionId/finish": () => ({ secret, result: "seen" }),
    "POST /api/runs/:id/place": () => ({ place: null }),
    "POST /api/runs/:id/cross-out": () => ({ key: "w1:0-4:send_mail" }),
    "POST /api/runs/:id/put-back": () => ({
      digest: createHash("sha256").update(mail).digest("hex"),
    }),
    "POST /api/runs/:id/messages": () => ({ content: "Hurry up." }),
    "POST /api/runs/:id/approve-send": () => ({ approved: true, digest }),
    "POST /api/effects/:id/settle": () => ({ as: "happened" }),
    "PATCH /api/threads/:id": () => ({ title: "Mine" }),
    "PATCH /api/brons/:id": () => ({ name: "Mine" }),
    "PATCH /api/memory/:id": () => ({ text: "Mine" }),
    "PUT /api/model-keys/:provider": () => ({ key: "a-key-of-maxs-own" }),
  };
  const call = (key: ApiKey, token: string) => {
    const [method = "", path = ""] = key.split(" ");
    const hasBody = method !== "GET" && method !== "DELETE";
    return ask(`${server.url}${addressOf(path)}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(hasBody ? json : {}) },
      ...(hasBody ? { body: bodies[key]?.() ?? {} } : {}),
    });
  };
  const withIds = (Object.keys(api) as ApiKey[]).filter(
    (key) => /\/:(?:id|digest)/.test(key) && key !== "PUT /api/uploads/:id",
  );

  it("BR25 responds 404 to another owner's id on every route, and does nothing", async () => {
    expect(withIds.length).toBeGreaterThan(25);
    const before = await stateOf();
    for (const key of withIds) expect((await call(key, tokens.max)).status, key).toBe(404);
    expect(await stateOf()).toEqual(before);
  });

  it("BR25 shows each owner only their own lists", async () => {
    for (const key of [
      "GET /api/runs",
      "GET /api/threads",
      "GET /api/approvals",
      "GET /api/effects",
      "GET /api/audit",
      "GET /api/activity",
      "GET /api/sessions",
      "GET /api/model-keys",
      "GET /api/permissions",
      "GET /api/brons",
      "GET /api/usage",
      "GET /api/audit/export",
    ] as const) {
      const { status, text } = await call(key, tokens.max);
      expect(status, key).toBe(200);
      for (const [kind, id] of Object.entries(ids))
        if (kind !== "model-keys")
          expect(text.includes(id), `${key} tells of eva's ${kind}`).toBe(false);
      expect(text).not.toContain("friend@example.com");
    }
  });

  it("does not let a token attach to, filter by or continue another owner's data", async () => {
    const client = runtime.clientFor("eva");
    const as = (token: string) => ({ authorization: `Bearer ${token}`, ...json });
    const { threadId, bronId } = await client.call("GET /api/runs/:id", {
      params: { id: ids["runs"] ?? "" },
    });
    const post = (path: string, body: unknown) =>
      ask(`${server.url}${path}`, { method: "POST", headers: as(tokens.max), body });
    expect((await post("/api/runs", { prompt: "x", threadId })).status).toBe(404);
    expect((await post("/api/runs", { prompt: "x", bronId })).status).toBe(404);
    expect((await post("/api/runs", { prompt: "x", uploadIds: [ids["uploads"]] })).status).toBe(
      404,
    );
    expect((await post("/api/agent/run", { prompt: "x", threadId })).status).toBe(404);
    expect((await post("/api/uploads/complete", { uploadId: ids["uploads"] })).status).toBe(404);
    expect((await post("/api/permissions/trust", { level: "autonomous", bronId })).status).toBe(
      404,
    );
    expect(
      (await post("/api/approvals/batch", { approve: [{ id: ids["approvals"], digest }] })).json,
    ).toMatchObject({ approve: [{ ok: false, error: { code: "not_found" } }] });
    for (const query of [`runId=${ids["runs"]}`])
      expect(
        (await ask(`${server.url}/api/approvals?${query}`, { headers: as(tokens.max) })).json,
      ).toEqual({ approvals: [], next: null });
    expect(
      (await ask(`${server.url}/api/runs?bronId=${bronId}`, { headers: as(tokens.max) })).json,
    ).toMatchObject({ runs: [] });
    expect((await client.call("GET /api/permissions")).trustLevel).toBe("supervised");
  });

  it("X3 does not let a token without the scope approve disable approvals", async () => {
    const { token } = await runtime.tokens.create("eva", {
      name: "manager",
      scopes: ["read", "run", "manage"],
    });
    const as = { authorization: `Bearer ${token}`, ...json };
    for (const [method, path, body] of [
      ["POST", "/api/permissions/trust", { level: "autonomous" }],
      ["POST", "/api/permissions/rules", { tool: "send", verdict: "allow" }],
      ["POST", "/api/permissions/grants", { tool: "send", recipient: "x@example.com" }],
      ["POST", "/api/permissions/allowed", { value: "x@example.com" }],
      [
        "POST",
        "/api/permissions/effects",
        { kind: "mail", undoSeconds: 0, approvalsPerMinute: null },
      ],
      ["PATCH", `/api/brons/${ids["brons"]}`, { trustLevel: "autonomous" }],
      ["POST", "/api/brons", { name: "Free", trustLevel: "autonomous" }],
    ] as const)
      expect(
        (await ask(`${server.url}${path}`, { method, headers: as, body })).status,
        `${method} ${path}`,
      ).toBe(403);
    expect(
      (
        await ask(`${server.url}/api/brons/${ids["brons"]}`, {
          method: "PATCH",
          headers: as,
          body: { name: "Renamed" },
        })
      ).status,
    ).toBe(200);
    expect((await runtime.clientFor("eva").call("GET /api/permissions")).trustLevel).toBe(
      "supervised",
    );
  });

  it("BR21 lets a client request lower caps than the operator's, not higher ones", async () => {
    const create = async (caps: object) =>
      (
        (
          await ask(`${server.url}/api/runs`, {
            method: "POST",
            headers: { authorization: `Bearer ${tokens.max}`, ...json },
            body: { prompt: "x", caps },
          })
        ).json as { caps: Record<string, unknown> }
      ).caps;
    expect(
      await create({
        modelTurns: 100_000,
        toolCalls: 100_000,
        activeMs: 1e9,
        attachmentBytes: 1e12,
        toolCallsByGroup: { gmail: 999, own: 3 },
      }),
    ).toMatchObject({
      modelTurns: 20,
      toolCalls: 40,
      activeMs: 480_000,
      attachmentBytes: 20 * 1024 * 1024,
      toolCallsByGroup: { gmail: 25, web: 10, own: 3 },
    });
    expect(await create({ modelTurns: 2, costMicrousd: 5, steps: 3 })).toMatchObject({
      modelTurns: 2,
      costMicrousd: 5,
      steps: 3,
    });
  });

  it("refuses the same Idempotency-Key for a different request, whatever differs", async () => {
    const client = runtime.clientFor("max");
    const post = (path: string, body: unknown) =>
      ask(`${server.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${tokens.max}`, ...json, "idempotency-key": "same" },
        body,
      });
    const { status, json: run } = await post("/api/runs", { prompt: "x" });
    expect(status).toBe(201);
    expect((await post("/api/runs", { prompt: "x" })).json).toMatchObject({ id: run["id"] });
    const other = await client.call("POST /api/brons", { body: { name: "Other" } });
    const { upload } = await client.call("POST /api/uploads/token", {
      body: {
        filename: "b.txt",
        contentType: "text/plain",
        sizeBytes: 5,
      },
    });
    for (const body of [
      { prompt: "y" },
      { prompt: "x", bronId: other.id },
      { prompt: "x", uploadIds: [upload.id] },
    ])
      expect((await post("/api/runs", body)).status, JSON.stringify(body)).toBe(409);
    await client.call("POST /api/runs/:id/cancel", { params: { id: run["id"] as string } });
    for await (const _ of client.events(run["id"] as string));
    expect((await post(`/api/runs/${run["id"] as string}/retry`, {})).status).toBe(409);
  });

  it("refuses characters that a database cannot store, with a readable error", async () => {
    const post = (path: string, body: unknown) =>
      ask(`${server.url}${path}`, {
        method: "POST",
        headers: { authorization: `Bearer ${tokens.max}`, ...json },
        body,
      });
    for (const value of ["a\u0000@b.example", "a\ud800@b.example", "a\n@b.example"]) {
      expect((await post("/api/permissions/allowed", { value })).status).toBe(400);
      expect(
        (await post("/api/permissions/grants", { tool: "send", recipient: value })).status,
      ).toBe(400);
    }
  });

  it("allows the owner the same requests", async () => {
    for (const key of withIds.filter((one) => one.startsWith("GET ") && !one.endsWith("/stream")))
      expect([200, 202], key).toContain((await call(key, tokens.eva)).status);
  });

  const stateOf = async () => ({
    run: await runtime
      .clientFor("eva")
      .call("GET /api/runs/:id", { params: { id: ids["runs"] ?? "" } }),
    approvals: await runtime.clientFor("eva").list("GET /api/approvals", {}),
    permissions: await runtime.clientFor("eva").call("GET /api/permissions"),
    tokens: (await runtime.clientFor("eva").call("GET /api/tokens")).tokens.map(({ id }) => id),
    sessions: (await runtime.clientFor("eva").call("GET /api/sessions")).sessions.map(
      ({ id }) => id,
    ),
    brons: (await runtime.clientFor("eva").call("GET /api/brons")).brons.map(
      ({ name, trustLevel }) => ({
        name,
        trustLevel,
      }),
    ),
  });
});
