import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";

/** More than the starts and attempts that are allowed when workers die. */
const interruptions = 6;

describe("a worker that could not renew its leases in time", () => {
  /** Releases the run when some of its work has started, as the worker does. */
  const interruptOn = () => {
    let shutdown = new AbortController();
    return {
      next: () => (shutdown = new AbortController()).signal,
      now: () => shutdown.abort(new BronError("lease_lost", "The lease could not be renewed")),
    };
  };

  it("X2 BR5 restarts a tool as often as needed without counting it as a crash of the tool", async () => {
    const interrupt = interruptOn();
    let starts = 0;
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input: z.object({}),
      repeatable: true,
      async execute(_input, { signal }) {
        if (++starts > interruptions) return "seen";
        interrupt.now();
        return await new Promise<string>((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(signal.reason as Error)),
        );
      },
    });
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "look", input: {} }] } : { text: "Done." },
      tools: [look],
    });
    const run = await harness.create();
    for (let times = 0; times < interruptions; times++)
      expect(await harness.advance(run.id, {}, interrupt.next(), times > 0)).toBe("released");
    expect(await harness.advance(run.id, {}, interrupt.next(), true)).toBe("ended");
    expect(await harness.results(run.id)).toMatchObject([
      { name: "look", outcome: "completed", output: "seen" },
    ]);
  });

  it("X2 BR5 repeats a model call as often as needed, and each lost call stays charged", async () => {
    const interrupt = interruptOn();
    let asked = 0;
    const harness = createLoopHarness({
      price: { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 1_000_000 },
      script: () => {
        if (++asked > interruptions) return { text: "Done." };
        interrupt.now();
        return { text: "Lost." };
      },
    });
    const run = await harness.create();
    for (let times = 0; times < interruptions; times++)
      expect(await harness.advance(run.id, {}, interrupt.next(), times > 0)).toBe("released");
    expect(await harness.advance(run.id, {}, interrupt.next(), true)).toBe("ended");
    expect(await harness.run(run.id)).toMatchObject({ status: "completed" });
    const lost = (await harness.events(run.id)).flatMap((event) =>
      event.type === "usage" && event.payload.outcome === "lost" ? [event.payload] : [],
    );
    expect(lost.map(({ attempt, interrupted }) => ({ attempt, interrupted }))).toEqual(
      Array.from({ length: interruptions }, (_, index) => ({
        attempt: index + 1,
        interrupted: true,
      })),
    );
    const reserved = (await harness.events(run.id)).flatMap((event) =>
      event.type === "step" && event.payload.phase === "start"
        ? [event.payload.reservedMicrousd]
        : [],
    );
    expect(lost.map(({ costMicrousd }) => costMicrousd)).toEqual(reserved.slice(0, interruptions));
    expect(Math.min(...reserved)).toBeGreaterThan(0);
  });

  it("X2 still counts the starts of a worker that died", async () => {
    const look = defineTool({
      name: "look",
      description: "Looks.",
      input: z.object({}),
      repeatable: true,
      execute: (_input, { signal }) =>
        new Promise<string>(
          (_resolve, reject) => (
            interrupt.now(),
            signal.addEventListener("abort", () => reject(signal.reason as Error))
          ),
        ),
    });
    const interrupt = interruptOn();
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "look", input: {} }] } : { text: "Done." },
      tools: [look],
    });
    const run = await harness.create();
    for (let times = 0; times < 3; times++)
      expect(await harness.advance(run.id, {}, interrupt.next())).toBe("released");
    expect(await harness.advance(run.id, {}, interrupt.next())).toBe("ended");
    expect(await harness.results(run.id)).toMatchObject([
      { name: "look", outcome: "failed", error: { code: "tool_failed" } },
    ]);
  });
});
