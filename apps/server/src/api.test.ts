import { scriptedLanguageModel } from "@bron/testing";
import { defineTool } from "@bron/core";
import { createRuntime, type PostgresRuntime } from "@bron/runtime";
import type { OutgoingHttpHeaders } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "../../../test/support/test-database.ts";
import { ownerHeader } from "../../../test/support/http/owner-header.ts";
import { ask, json, type TestResponse } from "../../../test/support/http/ask.ts";
import { createServer, type BronServer } from "./create-server.ts";
import { noServerLimits } from "../../../test/support/http/no-server-limits.ts";
import { readStream } from "../../../test/support/http/read-stream.ts";

const ownerId = "local";
const bytes = new TextEncoder().encode("<script>alert(1)</script>");

const tools = [
  defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({ to: z.string() }),
    sideEffect: true,
    editing: {
      fields: z.strictObject({ to: z.string().optional() }),
      valuesOf: ({ to }: { to: string }) => ({ to }),
      edit: (_, { to = "" }) => Promise.resolve({ prepared: { to }, preview: `send ${to}` }),
    },
    execute: ({ to }: { to: string }) => `sent ${to}`,
  }),
  defineTool({
    name: "dump",
    description: "Says much.",
    input: z.object({}),
    execute: () => "x".repeat(50_000),
  }),
  defineTool({
    name: "keep",
    description: "Keeps a file.",
    input: z.object({}),
    async execute(_input: object, context) {
      await context.saveArtifact({
        kind: "file",
        name: "page.html",
        mediaType: "text/html",
        bytes,
      });
      return "kept";
    },
  }),
];

describe("the HTTP API", () => {
  let database: TestDatabase;
  let runtime: PostgresRuntime;
  let server: BronServer;
  let held: { open: () => void; reached: Promise<void> };
  const problems: unknown[] = [];

  /**
   * The task says what the model does first: call a tool, or hold its response until the test
   * releases it.
   */
  const model = scriptedLanguageModel(({ turn, options }) => {
    const prompt = JSON.stringify(options.prompt);
    if (turn > 0) return { text: "Done." };
    const tool = /use (send|dump|keep)/.exec(prompt)?.[1];
    if (tool !== undefined)
      return {
        reasoning: "a secret thought",
        calls: [{ tool, input: tool === "send" ? { to: "eva" } : {} }],
      };
    if (!prompt.includes("hold")) return { text: "Hello there.", reasoning: "a secret thought" };
    return new ReadableStream({
      async start(controller) {
        controller.enqueue({ type: "stream-start", warnings: [] });
        controller.enqueue({ type: "text-start", id: "t" });
        controller.enqueue({ type: "text-delta", id: "t", delta: "So far" });
        await gate();
        controller.enqueue({ type: "text-delta", id: "t", delta: " so good." });
        controller.enqueue({ type: "text-end", id: "t" });
        controller.enqueue({
          type: "finish",
          finishReason: { unified: "stop", raw: undefined },
          usage: {
            inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
            outputTokens: { total: 1, text: 1, reasoning: 0 },
          },
        });
        controller.close();
      },
    });
  });
  let gate: () => Promise<void> = () => Promise.resolve();
  const hold = () => {
    const reached = Promise.withResolvers<void>();
    const opened = Promise.withResolvers<void>();
    gate = () => {
      reached.resolve();
      return opened.promise;
    };
    held = { open: opened.resolve, reached: reached.promise };
  };

  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model, name: "scripted", maxOutputTokens: 100 },
      tools,
    });
    server = await createServer({
      ...noServerLimits,
      runtime,
      ownerId,
      host: "127.0.0.1",
      port: 0,
      serverId: "s-1",
      bodyTimeoutMs: 500,
      onProblem: (...problem) => problems.push(problem),
    });
  });
  afterAll(async () => {
    await server.close();
    await runtime.close();
    await database.drop();
    expect(problems).toEqual([]);
  });

  const owner = () => ({ authorization: ownerHeader(runtime, { serverId: "s-1" }) });
  const get = (path: string, headers: OutgoingHttpHeaders = {}) =>
    ask(`${server.url}${path}`, { headers: { ...owner(), ...headers } });
  const post = (path: string, body: unknown, headers: OutgoingHttpHeaders = {}) =>
    ask(`${server.url}${path}`, {
      method: "POST",
      headers: { ...owner(), ...json, ...headers },
      body,
    });
  const create = async (prompt: string) =>
    (await post("/api/runs", { prompt })).json["id"] as string;
  const finish = async (runId: string) => {
    for await (const _ of runtime.clientFor(ownerId).events(runId));
  };
  const park = async () => {
    const runId = await create("use send");
    for await (const _ of runtime.clientFor(ownerId).events(runId, { untilParked: true }));
    const { json: list } = await get(`/api/approvals?runId=${runId}&pending=true`);
    const [approval] = list["approvals"] as { id: string; digest: string; prepared: unknown }[];
    return { runId, approval: approval! };
  };
  const expectProblem = (answer: TestResponse, status: number, code: string) => {
    expect(answer).toMatchObject({
      status,
      json: {
        status,
        code,
        type: expect.stringMatching(/^\/docs\/errors#/),
        title: expect.any(String),
        detail: expect.any(String),
        hint: expect.any(String),
      },
    });
    expect(answer.headers["content-type"]).toBe("application/problem+json");
  };

  it("creates, reads and lists runs", async () => {
    const created = await post("/api/runs", { prompt: "Say hello" });
    expect(created).toMatchObject({
      status: 201,
      json: { prompt: "Say hello", title: "Say hello", ownerId },
    });
    const id = created.json["id"] as string;
    expect(created.headers.location).toBe(`/api/runs/${id}`);
    await finish(id);
    expect(await get(`/api/runs/${id}`)).toMatchObject({
      status: 200,
      json: { id, status: "completed" },
    });
    const other = await create("Say hello again");
    await finish(other);
    const first = await get("/api/runs?limit=1&status=completed");
    expect(first.json).toMatchObject({ runs: [{ id: other }], next: other });
    expect((await get(`/api/runs?limit=1&before=${other}`)).json).toMatchObject({ runs: [{ id }] });
    for (const query of ["status=nonsense", "limit=0", "limit=1000", "before=x"])
      expectProblem(await get(`/api/runs?${query}`), 400, "invalid_input");
    expectProblem(await get("/api/runs/3f9a1c20-1111-4222-8333-444455556666"), 404, "not_found");
  });

  it("creates one run for fifty posts with the same Idempotency-Key", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        post("/api/runs", { prompt: "Once" }, { "idempotency-key": "k-1" }),
      ),
    );
    expect(new Set(answers.map(({ json: run }) => run["id"]))).toHaveLength(1);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      ...Array.from({ length: 49 }, () => 200),
      201,
    ]);
    expectProblem(
      await post("/api/runs", { prompt: "Other" }, { "idempotency-key": "k-1" }),
      409,
      "conflict",
    );
    expectProblem(
      await post("/api/runs", { prompt: "Other" }, { "idempotency-key": "k ".repeat(200) }),
      400,
      "invalid_input",
    );
    await finish(answers[0]?.json["id"] as string);
  });

  it("rejects malformed input and names the invalid field", async () => {
    for (const body of [
      "{",
      "nonsense",
      '{"prompt":"x"}}',
      Buffer.from([0x22, 0xff, 0x22]),
      `${"[".repeat(100_000)}${"]".repeat(100_000)}`,
    ])
      expectProblem(await post("/api/runs", body), 400, "invalid_input");
    for (const body of [
      "",
      "[]",
      "null",
      '"x"',
      { prompt: 1 },
      { prompt: "x", wrong: 1 },
      { prompt: " " },
      { prompt: "x", caps: { modelTurns: -1 } },
    ])
      expectProblem(await post("/api/runs", body), 400, "invalid_input");
    expect((await post("/api/runs", { prompt: "x", caps: { modelTurns: -1 } })).json).toMatchObject(
      { errors: [{ path: "caps.modelTurns" }] },
    );
    expectProblem(await post("/api/runs", { prompt: "x".repeat(300_000) }), 413, "too_large");
  });

  it("accepts any text as a prompt, and returns not_found for any unknown id", async () => {
    const odd = "ab\ud800c\u202e";
    for (const input of [
      { prompt: odd },
      { prompt: "x", title: odd },
      {
        prompt: "x",
        attachedContext: [
          { type: "email", id: odd, title: odd, snippet: odd, meta: { [odd]: [odd] } },
        ],
      },
    ]) {
      const answer = await post("/api/runs", input);
      expect([answer.status, JSON.stringify(input)]).toEqual([201, JSON.stringify(input)]);
      await finish(answer.json["id"] as string);
    }
    for (const path of ["artifacts/%ff", "runs/%2500/events", "runs/..%2f/stream"])
      expect((await get(`/api/${path}`)).status, path).toBe(404);
    for (const path of [
      "artifacts/%00",
      "runs/%00",
      "approvals/%00",
      "usage?zone=a%00b",
      "runs?status=%00",
      "runs?limit=%00",
      "runs?before=%00",
      "approvals?runId=%00",
      `runs/${await create("x")}/stream?afterSeq=9999999999`,
    ])
      expect((await get(`/api/${path}`)).status, path).toBe(400);
  });

  it("rejects a NUL in any string of a body with 400", async () => {
    const approval = "/api/approvals/3f9a1c20-1111-4222-8333-444455556666";
    const nul = "a\0b";
    const digests = ["approve", "deny", "edit", "reply"].map((verb): [string, object] => [
      `${approval}/${verb}`,
      {
        digest: nul,
        ...(verb === "edit" ? { changes: {} } : verb === "reply" ? { words: "x" } : {}),
      },
    ]);
    const others: [string, object][] = [
      ["/api/runs", { prompt: nul }],
      [
        "/api/runs",
        { prompt: "x", attachedContext: [{ type: "email", id: "1", meta: { [nul]: [1] } }] },
      ],
      ["/api/approvals/batch", { deny: [{ id: "x", digest: nul }] }],
      [`${approval}/edit`, { digest: "x", changes: { to: [{ deep: nul }] } }],
      ["/api/tokens", { name: nul }],
    ];
    for (const [path, body] of [...digests, ...others])
      expectProblem(await post(path, body), 400, "invalid_input");
    // An escaped backslash followed by digits is not a NUL.
    await finish((await post("/api/runs", { prompt: "a\\u0000b" })).json["id"] as string);
  });

  /**
   * Sends an incomplete request, byte by byte, and returns the response until the connection is
   * closed.
   */
  const sendPart = async (headers: string, body: string, drip: string) => {
    const { port, host } = new URL(server.url);
    const socket = connect(Number(port), "127.0.0.1");
    let text = "";
    socket.on("data", (chunk) => (text += chunk.toString()));
    socket.on("error", () => undefined);
    socket.write(
      `POST /api/runs HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${owner().authorization}\r\ncontent-type: application/json\r\n${headers}\r\n\r\n${body}`,
    );
    const dripping = setInterval(() => socket.write(drip), 100);
    await new Promise((resolve) => socket.on("close", resolve));
    clearInterval(dripping);
    return text;
  };

  it("rejects oversized bodies early, whatever their headers say", async () => {
    const big = JSON.stringify({ prompt: "x".repeat(1_100_000) });
    expectProblem(await post("/api/runs", big), 413, "too_large");
    expectProblem(
      await post("/api/runs", big, { "transfer-encoding": "chunked" }),
      413,
      "too_large",
    );
    const refusal = /^HTTP\/1\.1 413 [^]*The request body is larger than 1 MB/;
    expect(await sendPart("content-length: 1048577", "", "")).toMatch(refusal);
    expect(
      await sendPart(
        "transfer-encoding: chunked",
        `200000\r\n${" ".repeat(0x200000)}\r\n`,
        "1\r\n \r\n",
      ),
    ).toMatch(refusal);
  });

  it("rejects a body that does not end in time, and closes the connection", async () => {
    expect(await sendPart("content-length: 1000", "{", " ")).toMatch(
      /^HTTP\/1\.1 408 [^]*"code":"body_timeout"/,
    );
  });

  it("returns the log in pages, without what only the model may read", async () => {
    const runId = await create("use dump");
    await finish(runId);
    const whole = await get(`/api/runs/${runId}/events`);
    const events = whole.json["events"] as {
      seq: number;
      type: string;
      payload: Record<string, unknown>;
    }[];
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    expect(whole.json["lastSeq"]).toBe(events.length);
    expect(whole.text).not.toMatch(/secret thought|signed:|"parts"/);
    expect(
      events.find(({ payload }) => payload["phase"] === "end" && payload["name"] === "dump")
        ?.payload["output"],
    ).toMatch(/^x{8000}\n\[10000 of 50000 characters are left out here\. .*\]\nx{32000}$/);
    expect((await get(`/api/runs/${runId}/actions`)).json["actions"]).toMatchObject([
      { output: expect.stringMatching(/^x{8000}\n\[10000 of/), kept: { characters: 50_000 } },
    ]);
    const page = await get(`/api/runs/${runId}/events?afterSeq=2&limit=3`);
    expect(page.json["events"]).toEqual(events.slice(2, 5));
    expect(
      (await get(`/api/runs/${runId}/events?afterSeq=${events.length}`)).json["events"],
    ).toEqual([]);
    expectProblem(await get(`/api/runs/${runId}/events?afterSeq=x`), 400, "invalid_input");
    expectProblem(await get("/api/runs/nobody/events"), 404, "not_found");
  });

  it("BR6 streams a run from its partial text to its end, and resumes in the middle", async () => {
    hold();
    const runId = await create("hold");
    const early = await readStream(`${server.url}/api/runs/${runId}/stream`, owner());
    await held.reached;
    await early.until((frames) => frames.some(({ event }) => event === "answer"));
    const late = await readStream(`${server.url}/api/runs/${runId}/stream?afterSeq=2`, owner());
    await late.until((frames) => frames.some(({ event }) => event === "answer"));
    expect(JSON.parse(late.frames.find(({ event }) => event === "answer")?.data ?? "")).toEqual({
      step: 1,
      attempt: 1,
      text: "So far",
    });
    held.open();
    expect(await Promise.all([early.ended, late.ended])).toEqual([true, true]);
    const { lastSeq } = await runtime
      .clientFor(ownerId)
      .call("GET /api/runs/:id", { params: { id: runId } });
    expect(early.seqs()).toEqual(Array.from({ length: lastSeq }, (_, index) => index + 1));
    expect(late.seqs()).toEqual(early.seqs().slice(2));
    expect(JSON.stringify(early.frames)).toContain("So far so good.");
    const polled = await get(`/api/runs/${runId}/events`);
    expect(
      early.frames.flatMap(({ id, data }) =>
        id === undefined ? [] : [JSON.parse(data ?? "") as unknown],
      ),
    ).toEqual(polled.json["events"]);
    expect(
      (await get(`/api/runs/${runId}/stream`, { "last-event-id": String(lastSeq) })).status,
    ).toBe(204);
  });

  it("approves exactly the version that was seen", async () => {
    const { runId, approval } = await park();
    expect((await get(`/api/approvals/${approval.id}`)).json).toEqual(approval);
    expectProblem(
      await post(`/api/approvals/${approval.id}/approve`, { digest: "other" }),
      409,
      "digest_mismatch",
    );
    expectProblem(await post(`/api/approvals/${approval.id}/approve`, {}), 400, "invalid_input");
    expect(
      await post(`/api/approvals/${approval.id}/approve`, { digest: approval.digest }),
    ).toMatchObject({ status: 200, json: { id: approval.id, state: "approved" } });
    await finish(runId);
    const again = await post(`/api/approvals/${approval.id}/approve`, { digest: approval.digest });
    expectProblem(again, 409, "approval_closed");
    expect(again.json["why"]).toEqual({ code: "already_closed", state: "used" });
    expect((await get(`/api/approvals?runId=${runId}&pending=true`)).json).toEqual({
      approvals: [],
      next: null,
    });
    expect((await get(`/api/approvals?runId=${runId}`)).json["approvals"]).toHaveLength(1);
    expect((await get(`/api/runs/${runId}/actions`)).json).toMatchObject({
      actions: [
        { runId, tool: "send", state: "completed", input: { to: "eva" }, output: "sent eva" },
      ],
    });
    expect((await get(`/api/runs/${runId}/effects`)).json).toMatchObject({
      effects: [{ runId, tool: "send", state: "done", digest: approval.digest, attempts: 1 }],
    });
    for (const what of ["actions", "effects"])
      expectProblem(await get(`/api/runs/nobody/${what}`), 404, "not_found");
    expectProblem(await get("/api/approvals/nobody"), 404, "not_found");
    expectProblem(await get("/api/approvals?pending=maybe"), 400, "invalid_input");
  });

  it("denies with a reason", async () => {
    const { runId, approval } = await park();
    expect(
      await post(`/api/approvals/${approval.id}/deny`, {
        digest: approval.digest,
        reason: "Not now.",
      }),
    ).toMatchObject({ status: 200, json: { state: "denied", decisionReason: "Not now." } });
    await finish(runId);
  });

  it("BR2 accepts an edit and a reply", async () => {
    const { runId, approval } = await park();
    const edit = (changes: unknown, digest = approval.digest) =>
      post(`/api/approvals/${approval.id}/edit`, { digest, changes });
    for (const changes of [undefined, [], { from: "tom" }, { to: 1 }, { to: "eva" }])
      expectProblem(await edit(changes), 400, "invalid_input");
    expectProblem(await edit({ to: "tom" }, "other"), 409, "digest_mismatch");
    expect(await edit({ to: "tom" })).toMatchObject({
      status: 200,
      json: { id: approval.id, state: "superseded" },
    });
    for await (const _ of runtime.clientFor(ownerId).events(runId, { untilParked: true }));
    const [next] = (await get(`/api/approvals?runId=${runId}&pending=true`)).json["approvals"] as {
      id: string;
      digest: string;
    }[];
    expect(next).toMatchObject({
      prepared: { to: "tom" },
      diff: [{ field: "to", before: "eva", after: "tom" }],
      editable: { to: "tom" },
    });
    expectProblem(await edit({ to: "ann" }), 409, "approval_closed");
    expectProblem(
      await post(`/api/approvals/${next?.id}/reply`, { digest: next?.digest, words: " " }),
      400,
      "invalid_input",
    );
    expect(
      await post(`/api/approvals/${next?.id}/reply`, {
        digest: next?.digest,
        words: "Not to Tom.",
      }),
    ).toMatchObject({ status: 200, json: { state: "denied", reply: "Not to Tom." } });
    await finish(runId);
    for (const what of ["edit", "reply", "undo"])
      expectProblem(
        await post(
          `/api/approvals/nobody/${what}`,
          what === "undo" ? {} : { digest: "d", changes: {}, words: "w" },
        ),
        what === "undo" ? 404 : 400,
        what === "undo" ? "not_found" : "invalid_input",
      );
    expectProblem(
      await post("/api/approvals/nobody/edit", { digest: "d", changes: {} }),
      404,
      "not_found",
    );
  });

  it("X1 decides several approvals by their digests, and the pending approval of a run", async () => {
    const [one, two, three] = [await park(), await park(), await park()];
    const batch = await post("/api/approvals/batch", {
      approve: [one.approval, two.approval].map(({ id, digest }, index) => ({
        id,
        digest: index === 0 ? digest : "other",
      })),
      deny: [{ id: three.approval.id, digest: three.approval.digest, reason: "no" }],
    });
    expect(batch).toMatchObject({
      status: 200,
      json: {
        approve: [
          { ok: true, approval: { state: "approved" } },
          { id: two.approval.id, ok: false, error: { code: "digest_mismatch" } },
        ],
        deny: [{ ok: true, approval: { state: "denied" } }],
      },
    });
    expectProblem(
      await post("/api/approvals/batch", {
        approve: Array.from({ length: 101 }, () => ({ id: "a", digest: "d" })),
      }),
      400,
      "invalid_input",
    );
    expectProblem(await post(`/api/runs/${two.runId}/approve-send`, {}), 400, "invalid_input");
    expectProblem(
      await post(`/api/runs/${two.runId}/approve-send`, { approved: true, digest: "other" }),
      409,
      "digest_mismatch",
    );
    expect(await post(`/api/runs/${two.runId}/approve-send`, { approved: false })).toMatchObject({
      status: 200,
      json: { id: two.approval.id, state: "denied" },
    });
    for (const { runId } of [one, two, three]) await finish(runId);
    expectProblem(
      await post(`/api/runs/${two.runId}/approve-send`, { approved: true }),
      409,
      "conflict",
    );
    expectProblem(
      await post("/api/runs/nobody/approve-send", { approved: true }),
      404,
      "not_found",
    );
    expectProblem(await post(`/api/approvals/${one.approval.id}/undo`, {}), 409, "approval_closed");
  });

  it("cancels a run, and reports a run that had already finished", async () => {
    const { runId } = await park();
    expect(await post(`/api/runs/${runId}/cancel`, { reason: "Enough." })).toMatchObject({
      status: 200,
      json: { requested: true, run: { id: runId, cancelRequested: true } },
    });
    await finish(runId);
    expect(await post(`/api/runs/${runId}/cancel`, "")).toMatchObject({
      status: 200,
      json: { requested: false, run: { status: "canceled" } },
    });
    expectProblem(await post("/api/runs/nobody/cancel", {}), 404, "not_found");
  });

  it("BR18 retries a finished run", async () => {
    const { runId, approval } = await park();
    expectProblem(await post(`/api/runs/${runId}/retry`, {}), 409, "conflict");
    await post(`/api/approvals/${approval.id}/approve`, { digest: approval.digest });
    await finish(runId);
    const retry = () => post(`/api/runs/${runId}/retry`, {}, { "idempotency-key": "retry-1" });
    const again = await retry();
    expect(again).toMatchObject({ status: 201, json: { retryOf: runId, prompt: "use send" } });
    const id = again.json["id"] as string;
    expect(await retry()).toMatchObject({ status: 200, json: { id } });
    await finish(id);
    expect((await get(`/api/runs/${id}/effects`)).json).toEqual({ effects: [] });
    expectProblem(await post("/api/runs/nobody/retry", {}), 404, "not_found");
    expectProblem(await post(`/api/runs/${runId}/retry`, { wrong: 1 }), 400, "invalid_input");
  });

  it("serves artifacts only as downloads", async () => {
    const runId = await create("use keep");
    await finish(runId);
    const { artifacts } = (await get(`/api/runs/${runId}/artifacts`)).json as {
      artifacts: { digest: string; name: string }[];
    };
    expect(artifacts).toMatchObject([{ name: "page.html" }]);
    const file = await get(`/api/artifacts/${artifacts[0]?.digest}`);
    expect(file).toMatchObject({ status: 200, text: new TextDecoder().decode(bytes) });
    expect(file.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": "attachment",
      "x-content-type-options": "nosniff",
      "content-security-policy": expect.stringMatching(/^sandbox/),
    });
    expectProblem(await get("/api/artifacts/none"), 404, "not_found");
    expectProblem(await get("/api/runs/nobody/artifacts"), 404, "not_found");
  });

  it("serves its health checks to everyone, and its page to the owner", async () => {
    expect(await ask(`${server.url}/healthz`)).toMatchObject({
      status: 200,
      json: { ok: true },
      headers: { "bron-server": "s-1" },
    });
    expect(await ask(`${server.url}/readyz`)).toMatchObject({
      status: 200,
      json: { ok: true, database: "ready" },
    });
    expect((await get("/")).text).toContain("The server is running.");
    const { headers } = await ask(server.signInLink());
    expect(
      (
        await ask(`${server.url}/`, {
          headers: { cookie: headers["set-cookie"]?.[0]?.split(";")[0] ?? "" },
        })
      ).status,
    ).toBe(200);
  });

  it("closes under load without losing accepted requests", async () => {
    const second = await createServer({
      ...noServerLimits,
      runtime,
      ownerId,
      host: "127.0.0.1",
      port: 0,
      serverId: "s-2",
    });
    const made: string[] = [];
    const refused: unknown[] = [];
    let isClosed = false;
    const client = async () => {
      while (!isClosed) {
        const answer = await fetch(`${second.url}/api/runs`, {
          method: "POST",
          headers: { authorization: ownerHeader(runtime, { serverId: "s-2" }), ...json },
          body: JSON.stringify({ prompt: "load" }),
        }).catch(() => undefined);
        if (answer === undefined) continue;
        const run = (await answer.json()) as { id: string };
        if (answer.status === 201) made.push(run.id);
        else refused.push(run);
      }
    };
    const clients = Array.from({ length: 8 }, client);
    await expect.poll(() => made.length, { timeout: 10_000 }).toBeGreaterThan(20);
    await second.close();
    isClosed = true;
    await Promise.all(clients);
    expect(refused).toEqual([]);
    for (const id of made)
      expect(
        (await runtime.clientFor(ownerId).call("GET /api/runs/:id", { params: { id } })).prompt,
      ).toBe("load");
    await Promise.all(made.map(finish));
  });
});
