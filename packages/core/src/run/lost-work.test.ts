import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createLoopBench, type LoopBench } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";

const price = { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 1_000_000 };

/** A segment whose worker dies as soon as `dying` aborts. Its lease is then free for the next one. */
async function dieIn(bench: LoopBench, runId: string, dying: AbortController): Promise<void> {
  const { log } = bench.store;
  const claim: typeof log.claim = async (request) =>
    await log.claim({ ...request, worker: crypto.randomUUID(), leaseMs: 1_000 });
  expect(await bench.advance(runId, { leaseMs: 1_000, log: { ...log, claim } }, dying.signal)).toBe(
    "let_go",
  );
  await bench.clock.pass(2_000);
}

function streamOf(
  parts: readonly LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

const died = () => new BronError("lease_lost", "The worker died");

describe("work that a dead worker left", () => {
  it("X2 a tool that may run twice fails after three starts whose worker died each time", async () => {
    let starts = 0;
    let dying = new AbortController();
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input: z.object({}),
      repeatable: true,
      execute: () => {
        starts++;
        dying.abort(died());
        return new Promise<never>(() => undefined);
      },
    });
    const bench = createLoopBench({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "look", input: {} }] } : { text: "Finished." },
      tools: [look],
    });
    const run = await bench.create();
    for (let death = 0; death < 3; death++) {
      await dieIn(bench, run.id, dying);
      dying = new AbortController();
    }
    const { log } = bench.store;
    expect(
      await bench.advance(run.id, {
        log: { ...log, claim: async (request) => await log.claim({ ...request, worker: "last" }) },
      }),
    ).toBe("ended");
    expect(starts).toBe(3);
    expect(await bench.results(run.id)).toMatchObject([
      { outcome: "failed", error: { code: "tool_failed" } },
    ]);
  });

  it("X6 X7 a model call is charged in full, once, when its run is stopped", async () => {
    const dying = new AbortController();
    const script = () => {
      dying.abort(died());
      return new ReadableStream<LanguageModelV4StreamPart>();
    };
    const bench = createLoopBench({ script, price });
    const run = await bench.create({}, { costMicrousd: 1_000_000 });
    await dieIn(bench, run.id, dying);
    await bench.store.runs.requestCancel("local", run.id);
    expect(await bench.advance(run.id)).toBe("ended");
    const events = await bench.events(run.id);
    const [reserved] = events.flatMap(({ type, payload }) =>
      type === "step" && payload.phase === "start" ? [payload.reservedMicrousd] : [],
    );
    expect(reserved).toBeGreaterThan(2_000);
    expect(
      events.flatMap(({ type, payload }) =>
        type === "usage" ? [[payload.outcome, payload.costMicrousd]] : [],
      ),
    ).toEqual([["lost", reserved]]);
    expect(await bench.run(run.id)).toMatchObject({ status: "canceled", spentMicrousd: reserved });
  });
});

describe("what a model call may cost", () => {
  it("X6 is charged in full when the provider does not say what was used", async () => {
    const parts: LanguageModelV4StreamPart[] = [
      { type: "stream-start", warnings: [] },
      { type: "text-start", id: "t" },
      { type: "text-delta", id: "t", delta: "Finished." },
      { type: "text-end", id: "t" },
      {
        type: "finish",
        finishReason: { unified: "stop", raw: undefined },
        usage: {
          inputTokens: {
            total: undefined,
            noCache: undefined,
            cacheRead: undefined,
            cacheWrite: undefined,
          },
          outputTokens: { total: undefined, text: undefined, reasoning: undefined },
        },
      },
    ];
    const bench = createLoopBench({ script: () => streamOf(parts), price });
    const run = await bench.create({}, { costMicrousd: 1_000_000 });
    expect(await bench.advance(run.id)).toBe("ended");
    const [reserved] = (await bench.events(run.id)).flatMap(({ type, payload }) =>
      type === "step" && payload.phase === "start" ? [payload.reservedMicrousd] : [],
    );
    expect(reserved).toBeGreaterThan(2_000);
    expect(await bench.run(run.id)).toMatchObject({ status: "completed", spentMicrousd: reserved });
  });

  it("X6 is reserved for the whole request: instruction, earlier messages, tools and the run's own", async () => {
    const bench = createLoopBench({ script: () => ({ text: "Finished." }), price });
    const tail = Array.from({ length: 20 }, (_, index) => ({
      role: "user" as const,
      content: `${index} ${"ä".repeat(1_000)}`,
      trusted: true,
    }));
    const run = await bench.create({}, { costMicrousd: 1_000_000 });
    await bench.advance(run.id, {
      threads: { ...bench.store.threads, tail: () => Promise.resolve(tail) },
    });
    const [asked] = bench.model.calls;
    const requestBytes = Buffer.byteLength(JSON.stringify(asked?.prompt));
    expect(requestBytes).toBeGreaterThan(40_000);
    const [reserved = 0] = (await bench.events(run.id)).flatMap(({ type, payload }) =>
      type === "step" && payload.phase === "start" ? [payload.reservedMicrousd] : [],
    );
    expect(reserved).toBeGreaterThanOrEqual(requestBytes);
  });
});

describe("the instruction", () => {
  it("RT7 tells the model about the user, after the rules and before attached context", async () => {
    const bench = createLoopBench({ script: () => ({ text: "Finished." }) });
    const run = await bench.create({
      attachedContext: [{ type: "briefing", id: "b1", title: "Morning" }],
    });
    const profile = {
      persona: "You are Quill.",
      aboutUser: "Mara runs the workshop and prefers short mail.",
    };
    await bench.advance(run.id, {
      threads: { ...bench.store.threads, profile: () => Promise.resolve(profile) },
    });
    const [first] = bench.model.calls[0]?.prompt ?? [];
    const system = first?.role === "system" ? first.content : "";
    expect(system).toContain("[ABOUT THE USER]\nMara runs the workshop and prefers short mail.");
    const places = [
      "You are Quill.",
      "Rules that always hold",
      "[ABOUT THE USER]",
      "[ATTACHED CONTEXT]",
    ].map((part) => system.indexOf(part));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBe(0);
  });
});
