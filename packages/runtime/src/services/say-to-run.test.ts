import { defineTool } from "@bron/core";
import { memoryStore } from "@bron/memory-store";
import { scriptedLanguageModel } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { createRuntime } from "../create-runtime.ts";
import type { Runtime } from "../runtime.ts";

const ownerId = "local";

describe("saying something to a run", () => {
  const opened: Runtime[] = [];
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((runtime) => runtime.close()));
  });
  /** Each run calls a tool that waits for `letGo`, and then repeats what the owner said. */
  const open = async () => {
    const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
    const wait = defineTool({
      name: "wait",
      description: "Waits.",
      input: z.object({}),
      repeatable: true,
      execute: async () => (await gate, "waited"),
    });
    const runtime = await createRuntime({
      store: memoryStore(),
      tools: [wait],
      model: {
        name: "scripted",
        maxOutputTokens: 100,
        model: scriptedLanguageModel(({ turn, options: { prompt } }) => {
          if (turn === 0) return { calls: [{ tool: "wait", input: {} }] };
          const said = prompt.flatMap(({ role, content }) =>
            role === "user" ? [JSON.stringify(content)] : [],
          );
          return { text: said.join(" ") };
        }),
      },
    });
    opened.push(runtime);
    return { runtime, letGo };
  };
  const start = async (runtime: Runtime, prompt: string, parentRunId?: string) => {
    const options = parentRunId === undefined ? {} : { parentRunId };
    const { run } = await runtime.startRun(ownerId, { prompt }, options);
    for await (const { type, payload } of runtime.logs.events(ownerId, run.id))
      if (type === "tool" && payload.phase === "start") break;
    return run;
  };
  const toEnd = async (runtime: Runtime, runId: string) => {
    const client = runtime.clientFor(ownerId);
    for await (const _ of client.events(runId));
    return await client.call("GET /api/runs/:id", { params: { id: runId } });
  };

  it("reaches a run under way once for each key, and replaces what no text may contain", async () => {
    const { runtime, letGo } = await open();
    const run = await start(runtime, "Greet");
    for (const key of ["one", "one", "two"])
      expect(
        await runtime.clientFor(ownerId).call("POST /api/runs/:id/messages", {
          params: { id: run.id },
          body: { content: `in French\u0000 ${key}` },
          idempotencyKey: key,
        }),
      ).toMatchObject({ isNewTask: false, run: { id: run.id } });
    letGo();
    expect((await toEnd(runtime, run.id)).summary?.match(/in French\uFFFD (?:one|two)/g)).toEqual([
      "in French\uFFFD one",
      "in French\uFFFD two",
    ]);
  });

  it("starts the next task of the thread if the run has ended, once for each key", async () => {
    const { runtime, letGo } = await open();
    const client = runtime.clientFor(ownerId);
    letGo();
    const run = await start(runtime, "Greet");
    await toEnd(runtime, run.id);
    const key = { idempotencyKey: "again" };
    const body = { content: "And Eva", context: ["Eva's address"] };
    const first = await client.call("POST /api/runs/:id/messages", {
      params: { id: run.id },
      body,
      ...key,
    });
    expect(first).toMatchObject({
      isNewTask: true,
      run: { prompt: "And Eva", title: "And Eva", threadId: run.threadId },
    });
    expect(first.run.id).not.toBe(run.id);
    const second = await client.call("POST /api/runs/:id/messages", {
      params: { id: run.id },
      body,
      ...key,
    });
    expect(second.run.id).toBe(first.run.id);
    const ended = await toEnd(runtime, first.run.id);
    expect(ended.status).toBe("completed");
    expect(ended.summary).toContain("[CONTEXT]");
  });

  it("is refused for a child run that has ended, for nothing, and for another owner's run", async () => {
    const { runtime, letGo } = await open();
    const run = await start(runtime, "Greet");
    const child = await start(runtime, "Part", run.id);
    expect(
      await runtime.clientFor(ownerId).call("POST /api/runs/:id/messages", {
        params: { id: child.id },
        body: { content: "Shorter" },
      }),
    ).toMatchObject({
      isNewTask: false,
    });
    letGo();
    await toEnd(runtime, child.id);
    const saying = (owner: string, runId: string, words: string) =>
      runtime
        .clientFor(owner)
        .call("POST /api/runs/:id/messages", { params: { id: runId }, body: { content: words } });
    await expect(saying(ownerId, child.id, "Longer")).rejects.toMatchObject({ code: "conflict" });
    await expect(saying(ownerId, run.id, " \n")).rejects.toMatchObject({ code: "invalid_input" });
    await expect(saying("another", run.id, "Hello")).rejects.toMatchObject({ code: "not_found" });
  });
});
