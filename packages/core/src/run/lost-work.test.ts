import type { LanguageModelV4StreamPart } from "@ai-sdk/provider";
import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";

const price = { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 1_000_000 };

/** A segment whose worker dies as soon as `dying` aborts. Its lease is then free for the next one. */
async function dieIn(harness: LoopHarness, runId: string, dying: AbortController): Promise<void> {
  const { log } = harness.store;
  const claim: typeof log.claim = async (request) =>
    await log.claim({ ...request, worker: crypto.randomUUID(), leaseMs: 1_000 });
  expect(
    await harness.advance(runId, { leaseMs: 1_000, log: { ...log, claim } }, dying.signal),
  ).toBe("released");
  await harness.clock.pass(2_000);
}

function streamOf(
  deps: readonly LanguageModelV4StreamPart[],
): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    start(controller) {
      for (const part of deps) controller.enqueue(part);
      controller.close();
    },
  });
}

const died = () => new BronError("lease_lost", "The worker died");

describe("work that a dead worker left", () => {
  it("X2 a repeatable tool fails after three starts whose worker died each time", async () => {
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
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "look", input: {} }] } : { text: "Finished." },
      tools: [look],
    });
    const run = await harness.create();
    for (let death = 0; death < 3; death++) {
      await dieIn(harness, run.id, dying);
      dying = new AbortController();
    }
    const { log } = harness.store;
    expect(
      await harness.advance(run.id, {
        log: { ...log, claim: async (request) => await log.claim({ ...request, worker: "last" }) },
      }),
    ).toBe("ended");
    expect(starts).toBe(3);
    expect(await harness.results(run.id)).toMatchObject([
      { outcome: "failed", error: { code: "tool_failed" } },
    ]);
  });

  it("X6 X7 a model call is charged in full, once, when its run is canceled", async () => {
    const dying = new AbortController();
    const script = () => {
      dying.abort(died());
      return new ReadableStream<LanguageModelV4StreamPart>();
    };
    const harness = createLoopHarness({ script, price });
    const run = await harness.create({}, { costMicrousd: 1_000_000 });
    await dieIn(harness, run.id, dying);
    await harness.store.runs.requestCancel("local", run.id);
    expect(await harness.advance(run.id)).toBe("ended");
    const events = await harness.events(run.id);
    const [reserved] = events.flatMap(({ type, payload }) =>
      type === "step" && payload.phase === "start" ? [payload.reservedMicrousd] : [],
    );
    expect(reserved).toBeGreaterThan(2_000);
    expect(
      events.flatMap(({ type, payload }) =>
        type === "usage" ? [[payload.outcome, payload.costMicrousd]] : [],
      ),
    ).toEqual([["lost", reserved]]);
    expect(await harness.run(run.id)).toMatchObject({
      status: "canceled",
      spentMicrousd: reserved,
    });
  });
});

describe("the cost of a model call", () => {
  it("X6 is charged in full when the provider does not report usage", async () => {
    const deps: LanguageModelV4StreamPart[] = [
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
    const harness = createLoopHarness({ script: () => streamOf(deps), price });
    const run = await harness.create({}, { costMicrousd: 1_000_000 });
    expect(await harness.advance(run.id)).toBe("ended");
    const [reserved] = (await harness.events(run.id)).flatMap(({ type, payload }) =>
      type === "step" && payload.phase === "start" ? [payload.reservedMicrousd] : [],
    );
    expect(reserved).toBeGreaterThan(2_000);
    expect(await harness.run(run.id)).toMatchObject({
      status: "completed",
      spentMicrousd: reserved,
    });
  });

  it("X6 is reserved for the entire request: instruction, earlier messages, tools and the run's own messages", async () => {
    const harness = createLoopHarness({ script: () => ({ text: "Finished." }), price });
    const messages = Array.from({ length: 20 }, (_, index) => ({
      id: String(index + 1),
      role: "user" as const,
      content: `${index} ${"ä".repeat(1_000)}`,
      trusted: true,
    }));
    const run = await harness.create({}, { costMicrousd: 1_000_000, contextTokens: 20_000 });
    await harness.advance(run.id, {
      threads: { ...harness.store.threads, tail: () => Promise.resolve({ messages }) },
    });
    const [asked] = harness.model.calls;
    const requestBytes = Buffer.byteLength(JSON.stringify(asked?.prompt));
    expect(requestBytes).toBeGreaterThan(40_000);
    const [reserved = 0] = (await harness.events(run.id)).flatMap(({ type, payload }) =>
      type === "step" && payload.phase === "start" ? [payload.reservedMicrousd] : [],
    );
    expect(reserved).toBeGreaterThanOrEqual(requestBytes);
  });
});

describe("the instruction", () => {
  it("RT7 tells the model about the user, after the rules and before attached context", async () => {
    const harness = createLoopHarness({ script: () => ({ text: "Finished." }) });
    const run = await harness.create({
      attachedContext: [{ type: "briefing", id: "b1", title: "Morning" }],
    });
    const profile = {
      persona: "You are Quill.",
      personaSource: "typed" as const,
      aboutUser: "Mara runs the workshop and prefers short mail.",
    };
    await harness.advance(run.id, {
      threads: { ...harness.store.threads, profile: () => Promise.resolve(profile) },
    });
    const [first] = harness.model.calls[0]?.prompt ?? [];
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
