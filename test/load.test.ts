import { scriptedLanguageModel } from "@bron/testing";
import { defineTool } from "@bron/core";
import { createRuntime, type Runtime, type RuntimeEvent } from "@bron/runtime";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { createTestDatabase, type TestDatabase } from "./support/test-database.ts";

const ownerId = "local";

describe("the telemetry of a process", () => {
  let database: TestDatabase;
  let runtime: Runtime;
  const runtimeEvents: RuntimeEvent[] = [];
  const problems: string[] = [];
  const open = (work: "sweep" | "none") => {
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({}),
      sideEffect: true,
      execute: () => "sent",
    });
    const model = scriptedLanguageModel(({ turn, options }) => {
      const tool = JSON.stringify(options.prompt).includes("made up")
        ? "Dear Jonas, here is the secret"
        : "send";
      return turn === 0 ? { calls: [{ tool, input: {} }] } : { text: "Done." };
    });
    const onRuntimeEvent = (runtimeEvent: RuntimeEvent) => {
      runtimeEvents.push(runtimeEvent);
      throw new TypeError("A listener of a test");
    };
    return createRuntime({
      databaseUrl: database.url,
      secretKey: "a secret key for tests that is long enough",
      model: { model, name: "scripted", maxOutputTokens: 100 },
      tools: [send],
      work,
      onRuntimeEvent,
      onProblem: (message) => problems.push(message),
    });
  };
  beforeAll(async () => {
    database = await createTestDatabase(inject("postgresUrl"));
    runtime = await open("sweep");
  });
  afterAll(async () => {
    await runtime.close();
    await database.drop();
  });
  const startRun = async (prompt: string) => {
    const client = runtime.clientFor(ownerId);
    const { id } = await client.call("POST /api/runs", { body: { prompt } });
    for await (const _ of client.events(id, { untilParked: true }));
    return id;
  };
  const runtimeEventsOf = (runId: string) =>
    runtimeEvents.filter((runtimeEvent) => "runId" in runtimeEvent && runtimeEvent.runId === runId);

  it("BR23 contains ids, names and numbers in the order of events; a listener that throws does no harm", async () => {
    const client = runtime.clientFor(ownerId);
    const runId = await startRun("Send it");
    expect(await runtime.load()).toEqual({
      runs: { awaiting_confirmation: 1 },
      approvalsPending: 1,
      oldestWaitingSeconds: 0,
    });
    const [approval] = await client.list("GET /api/approvals", { runId });
    await client.call("POST /api/approvals/:id/approve", {
      params: { id: approval!.id },
      body: { digest: approval!.digest },
    });
    for await (const _ of client.events(runId));
    await expect.poll(() => runtimeEventsOf(runId).at(-1)?.what).toBe("segment_ended");
    const telemetry = runtimeEventsOf(runId).map((runtimeEvent) =>
      [
        runtimeEvent.what,
        "to" in runtimeEvent
          ? runtimeEvent.to
          : "state" in runtimeEvent
            ? runtimeEvent.state
            : "status" in runtimeEvent
              ? runtimeEvent.status
              : "outcome" in runtimeEvent
                ? runtimeEvent.outcome
                : "end" in runtimeEvent
                  ? runtimeEvent.end
                  : "",
      ]
        .join(" ")
        .trim(),
    );
    expect(telemetry).toEqual([
      "run_created",
      "run_claimed",
      "model_called settled",
      "effect_moved awaiting_confirmation",
      "approval_moved requested",
      "run_parked awaiting_confirmation",
      "segment_ended parked",
      "approval_moved approved",
      "run_claimed",
      "effect_moved attempting",
      "effect_moved done",
      "tool_ended completed",
      "model_called settled",
      "run_ended completed",
      "segment_ended ended",
    ]);
    expect(new Set(problems)).toEqual(new Set(["A runtime event listener failed"]));
    expect(await runtime.load()).toEqual({
      runs: {},
      approvalsPending: 0,
      oldestWaitingSeconds: 0,
    });
  });

  it("BR23 does not repeat a tool name that the model made up", async () => {
    const runId = await startRun("Something made up");
    expect(runtimeEventsOf(runId)).toContainEqual(
      expect.objectContaining({
        what: "tool_ended",
        tool: "unknown",
        outcome: "failed",
        code: "unknown_tool",
      }),
    );
    expect(JSON.stringify(runtimeEventsOf(runId))).not.toContain("Jonas");
  });

  it("BR23 reports how long a run without a worker has waited", async () => {
    await runtime.close();
    runtime = await open("none");
    await runtime
      .clientFor(ownerId)
      .call("POST /api/runs", { body: { prompt: "Nobody is there" } });
    const { runs, oldestWaitingSeconds: before } = await runtime.load();
    expect(runs).toEqual({ queued: 1 });
    expect(before).toBeLessThan(20);
    await expect
      .poll(async () => (await runtime.load()).oldestWaitingSeconds, { timeout: 10_000 })
      .toBeGreaterThan(before + 0.5);
  });
});
