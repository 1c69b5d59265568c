import { readEverything } from "@bron/testing";
import { chooseModel } from "@bron/models";
import type { RunEvent } from "@bron/protocol";
import {
  startDemoModel,
  type Script,
  type ScriptResponse,
  type DemoModelServer,
} from "@bron/demo-model";
import { defineTool } from "@bron/core";
import { createRuntime, type Runtime } from "@bron/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

/**
 * Responses by task. The nth request of a task gets the nth response, and the last one is repeated.
 */
const responsesByTask: Record<string, ScriptResponse[]> = {
  "nonsense json": [{ nonsense: "json" }],
  "nonsense empty": [{ nonsense: "empty" }],
  "nonsense arguments": [{ nonsense: "badArguments" }, { text: "Sorry, I called it wrongly." }],
  endless: [{ endless: true }],
  "hangs before": [{ hang: "before" }],
  "hangs in the middle": [{ hang: "middle" }],
  "dies once": [{ cut: "middle" }, { text: "Back again." }],
  "dies always": [{ cut: "middle" }],
  "busy once": [{ status: 429, retryAfter: 1 }, { text: "Now." }],
  "busy for a second": [{ status: 429, retryAfter: 1 }, { text: "Now." }],
  "busy always": [{ status: 429, retryAfter: 0 }],
  "broken twice": [{ status: 500 }, { status: 503 }, { text: "Works." }],
  "broken always": [{ status: 500 }],
  refused: [
    {
      status: 400,
      body: { error: { code: 400, message: "Bad schema", status: "INVALID_ARGUMENT" } },
    },
  ],
};

// Concurrent, because each test mostly waits for the loop between two attempts.
describe.concurrent("a model that misbehaves, over the real wire", () => {
  let database: TestDatabase;
  let model: DemoModelServer;
  let runtime: Runtime;
  const requestCounts = new Map<string, number>();
  const script: Script = ({ task }) => {
    const index = requestCounts.get(task) ?? 0;
    requestCounts.set(task, index + 1);
    const list = responsesByTask[task] ?? [{ text: "?" }];
    return list[Math.min(index, list.length - 1)] ?? { text: "?" };
  };

  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    model = await startDemoModel({ script, reader: readEverything });
    const chosen = chooseModel({ demoBaseUrl: model.url });
    const calculator = defineTool({
      name: "calculator",
      description: "Calculates.",
      input: z.object({ expression: z.string() }),
      repeatable: true,
      execute: () => 42,
    });
    runtime = await createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model: chosen.model, name: chosen.modelId, maxOutputTokens: chosen.maxOutputTokens },
      tools: [calculator],
      // On a busy machine, a stream that does not hang can pause for most of a second.
      modelLimits: { idleMs: 2_000, totalMs: 20_000, maxCharacters: 20_000 },
    });
  });
  afterAll(async () => {
    await runtime.close();
    await model.close();
    await database.drop();
  });

  const finish = async (prompt: string) => {
    const client = runtime.clientFor("local");
    const run = await client.call("POST /api/runs", { body: { prompt } });
    const events: RunEvent[] = [];
    for await (const event of runtime.logs.events("local", run.id, {
      signal: AbortSignal.timeout(60_000),
    }))
      events.push(event);
    return {
      run: await client.call("GET /api/runs/:id", { params: { id: run.id } }),
      events,
    };
  };

  it.each(["nonsense arguments", "dies once", "busy once", "broken twice"])(
    "RT13 recovers when it %s",
    async (task) => {
      const { run } = await finish(task);
      expect(run).toMatchObject({ status: "completed" });
    },
    60_000,
  );

  it.each([
    ["nonsense json", "model_response_invalid", 4],
    ["nonsense empty", "model_response_invalid", 4],
    ["endless", "model_response_too_long", 1],
    ["hangs before", "model_timeout", 4],
    ["hangs in the middle", "model_timeout", 4],
    ["dies always", "model_unavailable", 4],
    ["busy always", "model_rate_limited", 4],
    ["broken always", "model_unavailable", 4],
    ["refused", "model_refused", 1],
  ])(
    "BR18 fails with a code, a card and a next step when it %s: %s",
    async (task, code, attempts) => {
      const { run, events } = await finish(task);
      expect(run).toMatchObject({ status: "failed", error: { code } });
      expect(requestCounts.get(task)).toBe(attempts);
      expect(events.at(-2)).toMatchObject({
        type: "ui",
        payload: {
          kind: "RunSummaryCard",
          payload: {
            outcome: "failed",
            error: { code, why: { code: expect.any(String) } },
            nextAction: "resolve_error",
          },
        },
      });
      expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
    },
    60_000,
  );

  it("waits as long as the provider asks", async () => {
    const { events } = await finish("busy for a second");
    const [first, again] = events
      .filter(({ type, payload }) => type === "step" && payload.phase === "start")
      .map(({ createdAt }) => Date.parse(createdAt));
    expect(again! - first!).toBeGreaterThanOrEqual(1_000);
  }, 60_000);

  it("refuses a task of 10 MB and an empty one before anything is stored", async () => {
    const client = runtime.clientFor("nobody");
    const start = (prompt: string) => client.call("POST /api/runs", { body: { prompt } });
    await expect(start("x".repeat(10 * 1024 * 1024))).rejects.toMatchObject({ code: "too_large" });
    await expect(start("  \n ")).rejects.toMatchObject({
      code: "invalid_input",
    });
    expect(await client.list("GET /api/runs")).toEqual([]);
  });
});
