import { createLoopHarness, type LoopHarness, type Script } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import type { AuxiliaryRequest } from "../model/auxiliary-request.ts";
import type { AuxiliaryRequests } from "./auxiliary-requests.ts";

const topic: AuxiliaryRequest = {
  purpose: "topic",
  instruction: "Name the topic.",
  prompt: "do it",
  schema: z.object({ topic: z.string().max(20) }),
};
const price = { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 1_000_000 };

const writes =
  (...texts: string[]): Script =>
  ({ index }) => ({ text: texts[Math.min(index, texts.length - 1)] ?? "" });
const unavailable: Script = () => {
  throw Object.assign(new TypeError("overloaded"), { statusCode: 503 });
};

function harness(
  light: Script,
  auxiliaryRequests: AuxiliaryRequests = () => [topic],
): LoopHarness & { readonly asked: number[] } {
  const asked: number[] = [];
  const loop = createLoopHarness({
    script: ({ turn }) => (turn === 0 ? { text: "Done." } : { text: "More." }),
    price,
    roles: (named) => ({
      light: named("light", (call) => {
        asked.push(call.index);
        return light(call);
      }),
    }),
    deps: { auxiliaryRequests },
  });
  return { ...loop, asked };
}

async function auxiliaryEvents(loop: LoopHarness, runId: string) {
  return (await loop.events(runId)).flatMap((event) =>
    event.type === "auxiliary_call" ? [event.payload] : [],
  );
}

async function usageOf(loop: LoopHarness, runId: string) {
  return (await loop.events(runId)).flatMap((event) =>
    event.type === "usage" ? [event.payload] : [],
  );
}

describe("an auxiliary call", () => {
  it("has a start, a usage and one result before the first step, and is not a step", async () => {
    const loop = harness(writes('{"topic":"work"}'));
    const run = await loop.create();
    expect(await loop.advance(run.id)).toBe("ended");
    const events = await auxiliaryEvents(loop, run.id);
    expect(events).toMatchObject([
      {
        phase: "start",
        purpose: "topic",
        attempt: 1,
        model: "light",
        requestDigest: expect.stringMatching(/^sha256:/),
      },
      { phase: "end", purpose: "topic", output: { topic: "work" } },
    ]);
    const [auxiliary, step] = await usageOf(loop, run.id);
    expect(auxiliary).toMatchObject({ step: 0, auxiliaryCallId: events[0]?.callId });
    expect(step).toMatchObject({ step: 1, model: "scripted" });
    expect((await loop.run(run.id)).spentMicrousd).toBe(220);
    expect(loop.asked).toEqual([0]);
  });

  it("asks for output that matches the schema", async () => {
    let asked: Parameters<Script>[0]["options"] | undefined;
    const loop = harness(({ options }) => {
      asked = options;
      return { text: '{"topic":"work"}' };
    });
    await loop.advance((await loop.create()).id);
    expect(asked?.responseFormat).toMatchObject({
      type: "json",
      name: "topic",
      schema: { type: "object", required: ["topic"] },
    });
    expect(asked?.prompt[0]).toMatchObject({
      role: "system",
      content: expect.stringMatching(/^\[AUXILIARY CALL topic\]\nName the topic\./),
    });
    expect(asked?.tools).toBeUndefined();
    expect(asked?.maxOutputTokens).toBe(1_000);
  });

  it("asks the main model if its purpose needs that", async () => {
    const loop = harness(writes('{"topic":"light"}'), () => [{ ...topic, role: "main" }]);
    const run = await loop.create();
    await loop.advance(run.id);
    expect((await auxiliaryEvents(loop, run.id))[0]).toMatchObject({ model: "scripted" });
    expect(loop.asked).toEqual([]);
  });

  it("is repaired once, and the log says so", async () => {
    const loop = harness(writes('{"topic":1}', '{"topic":"work"}'));
    const run = await loop.create();
    await loop.advance(run.id);
    expect(await auxiliaryEvents(loop, run.id)).toMatchObject([
      { phase: "start", attempt: 1 },
      { phase: "invalid", text: '{"topic":1}', problem: expect.stringContaining("topic") },
      { phase: "start", attempt: 2 },
      { phase: "end", output: { topic: "work" } },
    ]);
  });

  it("fails after two outputs that do not match, and the run continues", async () => {
    const loop = harness(writes("not JSON"));
    const run = await loop.create();
    await loop.advance(run.id);
    expect((await auxiliaryEvents(loop, run.id)).at(-1)).toMatchObject({
      phase: "end",
      error: { code: "model_response_invalid" },
    });
    expect(loop.asked).toHaveLength(2);
    expect((await loop.run(run.id)).status).toBe("completed");
  });

  it("is repeated like a step when the model is unavailable", async () => {
    const loop = harness(unavailable);
    const run = await loop.create();
    await loop.advance(run.id);
    const events = await auxiliaryEvents(loop, run.id);
    expect(events.map(({ phase }) => phase)).toEqual(["start", "start", "start", "start", "end"]);
    expect(events.at(-1)).toMatchObject({ error: { code: "model_unavailable" } });
    expect((await loop.run(run.id)).status).toBe("completed");
  });

  describe("with a time limit", () => {
    const silent: Script = () => new Promise<never>(() => undefined);
    /** Two models, of which the second is the last resort. */
    const twoModels = (light: Script, last: Script, maxAttempts = 2) => {
      const asked: string[] = [];
      const loop = createLoopHarness({
        script: () => ({ text: "Done." }),
        roles: (named) => ({
          light: named("light", (call) => (asked.push("light"), light(call))),
          lastResort: named("last", (call) => (asked.push("last"), last(call))),
        }),
        deps: { auxiliaryRequests: () => [{ ...topic, timeoutMs: 10_000, maxAttempts }] },
      });
      return { ...loop, asked };
    };

    it.each<[string, Script, Script, readonly string[]]>([
      ["two silent models", silent, silent, ["light"]],
      ["an outage and a silent model", unavailable, silent, ["light", "light", "last"]],
    ])("has one deadline for all attempts of %s", async (_, light, last, asked) => {
      const loop = twoModels(light, last);
      const run = await loop.create();
      const start = loop.clock.monotonic();
      expect(await loop.advance(run.id)).toBe("ended");
      expect(loop.clock.monotonic() - start).toBeLessThan(11_000);
      expect(loop.asked).toEqual(asked);
      expect((await auxiliaryEvents(loop, run.id)).at(-1)).toMatchObject({
        phase: "end",
        error: { code: "model_timeout" },
      });
      expect((await loop.run(run.id)).status).toBe("completed");
    });

    it("does not wait for a retry after the deadline", async () => {
      const busy: Script = () => {
        throw Object.assign(new TypeError("overloaded"), {
          statusCode: 429,
          responseHeaders: { "retry-after": "20" },
        });
      };
      const loop = twoModels(busy, silent, 3);
      const run = await loop.create();
      const start = loop.clock.monotonic();
      expect(await loop.advance(run.id)).toBe("ended");
      expect(loop.clock.monotonic() - start).toBeLessThan(1_000);
    });

    it("does not count the time without a worker", async () => {
      let isLost = true;
      const loop = twoModels(
        (call) => (isLost ? silent(call) : { text: '{"topic":"work"}' }),
        silent,
      );
      const run = await loop.create();
      const stop = new AbortController();
      const segment = loop.advance(run.id, {}, stop.signal);
      await expect.poll(() => loop.asked.length).toBe(1);
      stop.abort(new BronError("lease_lost", "test"));
      await segment;
      isLost = false;
      await loop.clock.pass(60_000);
      expect(await loop.advance(run.id)).toBe("ended");
      expect((await auxiliaryEvents(loop, run.id)).at(-1)).toMatchObject({
        output: { topic: "work" },
      });
    });
  });

  it("ends without a call if the budget does not allow it", async () => {
    const loop = harness(writes("{}"));
    const run = await loop.create({}, { costMicrousd: 10 });
    await loop.advance(run.id);
    expect(await auxiliaryEvents(loop, run.id)).toMatchObject([
      { phase: "end", error: { code: "budget_exhausted" } },
    ]);
    expect(loop.asked).toEqual([]);
  });

  it("stays charged and is repeated, four times at most, when its worker is lost", async () => {
    const loop = harness(() => new Promise<never>(() => undefined));
    const run = await loop.create();
    for (let lost = 1; lost <= 4; lost++) {
      const stop = new AbortController();
      const segment = loop.advance(run.id, {}, stop.signal);
      await expect.poll(() => loop.asked.length).toBe(lost);
      stop.abort(new BronError("lease_lost", "test"));
      await segment;
    }
    expect(await loop.advance(run.id)).toBe("ended");
    const events = await auxiliaryEvents(loop, run.id);
    expect(events.map(({ phase }) => phase)).toEqual(["start", "start", "start", "start", "end"]);
    const reserved = events.reduce(
      (sum, event) => sum + (event.phase === "start" ? event.reservedMicrousd : 0),
      0,
    );
    const usages = (await usageOf(loop, run.id)).filter((usage) => usage.auxiliaryCallId);
    expect(usages.map(({ outcome }) => outcome)).toEqual(["lost", "lost", "lost", "lost"]);
    expect(usages.reduce((sum, { costMicrousd }) => sum + costMicrousd, 0)).toBe(reserved);
  });

  it("has a result after the run was canceled", async () => {
    const loop = harness(() => new Promise<never>(() => undefined));
    const run = await loop.create();
    const stop = new AbortController();
    const segment = loop.advance(run.id, {}, stop.signal);
    await expect.poll(() => loop.asked.length).toBe(1);
    stop.abort(new BronError("lease_lost", "test"));
    await segment;
    await loop.store.runs.requestCancel("local", run.id);
    expect(await loop.advance(run.id)).toBe("ended");
    expect(await auxiliaryEvents(loop, run.id)).toMatchObject([
      { phase: "start" },
      { phase: "end", error: { code: "model_unavailable" } },
    ]);
    expect((await loop.run(run.id)).status).toBe("canceled");
  });

  it("never counts as a step and never exceeds the cap, whatever happens to it", async () => {
    const outcomes = ["valid", "invalid", "unavailable", "refused", "lost"] as const;
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...outcomes), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 0, max: 60_000 }),
        fc.integer({ min: 1, max: 3 }),
        async (planned, costMicrousd, count) => {
          const requests = Array.from({ length: count }, (_, index) => ({
            ...topic,
            purpose: `topic ${index}`,
          }));
          let stop = new AbortController();
          const loop = harness(
            async ({ index }) => {
              const outcome = planned[index % planned.length];
              if (outcome === "lost") {
                stop.abort(new BronError("lease_lost", "test"));
                return await new Promise<never>(() => undefined);
              }
              if (outcome === "unavailable" || outcome === "refused")
                throw Object.assign(new TypeError("no"), {
                  statusCode: outcome === "refused" ? 403 : 503,
                });
              return { text: outcome === "valid" ? '{"topic":"work"}' : "{}" };
            },
            () => requests,
          );
          const run = await loop.create({}, { costMicrousd });
          for (let end: unknown; end !== "ended";) {
            stop = new AbortController();
            end = await loop.advance(run.id, {}, stop.signal);
          }
          const events = await auxiliaryEvents(loop, run.id);
          for (const { purpose } of requests) {
            const own = events.filter((event) => event.purpose === purpose);
            expect(own.filter(({ phase }) => phase === "end")).toHaveLength(1);
            expect(own.at(-1)?.phase).toBe("end");
            expect(own.filter(({ phase }) => phase === "start").length).toBeLessThanOrEqual(5);
            expect(own.filter(({ phase }) => phase === "invalid").length).toBeLessThanOrEqual(1);
          }
          for (const { chargedMicrousd = 0 } of loop.appends)
            expect(chargedMicrousd).toBeLessThanOrEqual(costMicrousd);
          const steps = (await loop.events(run.id)).flatMap((event) =>
            event.type === "step" && event.payload.phase === "start" ? [event.payload.step] : [],
          );
          expect(steps.length).toBeLessThanOrEqual(1);
          expect(steps.every((step) => step === 1)).toBe(true);
        },
      ),
      { numRuns: 40 },
    );
  }, 60_000);
});
