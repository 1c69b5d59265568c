import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";

describe("an orderly worker shutdown", () => {
  it("X2 waits for work that must not be repeated and leaves the rest to the next worker, even if the log advances", async () => {
    const shutdown = new AbortController();
    let prepares = 0;
    let ran = 0;
    const send = defineTool({
      name: "send",
      description: "Sends.",
      input: z.object({}),
      sideEffect: true,
      async prepare(_input, { signal }) {
        prepares++;
        if (prepares === 1)
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
        return { prepared: {}, preview: "" };
      },
      execute: () => "sent",
    });
    const once = defineTool({
      name: "once",
      description: "Must not run twice.",
      input: z.object({}),
      async execute() {
        ran++;
        shutdown.abort(new BronError("interrupted", "The worker shuts down"));
        await harness.clock.sleep(200);
        // Another writer appends just before the tool's end is recorded.
        await harness.store.runs.announceConnected("local", "google");
        return "ran";
      },
    });
    const harness = createLoopHarness({
      script: ({ turn }) =>
        turn === 0
          ? {
              calls: [
                { tool: "send", input: {} },
                { tool: "once", input: {} },
              ],
            }
          : { text: "Done." },
      tools: [send, once],
    });
    const run = await harness.create();
    expect(await harness.advance(run.id, {}, shutdown.signal)).toBe("released");
    expect(await harness.results(run.id)).toMatchObject([{ name: "once", outcome: "completed" }]);
    expect(await harness.advance(run.id)).toBe("parked");
    expect({ prepares, ran }).toEqual({ prepares: 2, ran: 1 });
  });

  it("X6 keeps the reservation of an open model call charged when a tool reports late", async () => {
    const shutdown = new AbortController();
    let reportLate: (() => void) | undefined;
    const read = defineTool({
      name: "read",
      description: "Reads.",
      input: z.object({}),
      repeatable: true,
      execute(_input, { log }) {
        reportLate = () => log("One more line.");
        return "read";
      },
    });
    const harness = createLoopHarness({
      script({ turn }) {
        if (turn === 0) return { calls: [{ tool: "read", input: {} }] };
        shutdown.abort(new BronError("interrupted", "The worker shuts down"));
        reportLate?.();
        return new Promise<never>(() => undefined);
      },
      tools: [read],
      price: { inputMicrousdPerMillion: 1_000_000, outputMicrousdPerMillion: 1_000_000 },
    });
    const run = await harness.create();
    expect(await harness.advance(run.id, {}, shutdown.signal)).toBe("released");
    const events = await harness.events(run.id);
    expect(events.at(-1)).toMatchObject({ type: "log", payload: { message: "One more line." } });
    const charges = events.flatMap(({ type, payload }) => {
      if (type === "usage") return [payload.costMicrousd];
      return type === "step" && payload.phase === "start" ? [payload.reservedMicrousd] : [];
    });
    // Reserved and settled in the first step, reserved in the second one.
    expect(charges).toHaveLength(3);
    expect((await harness.run(run.id)).spentMicrousd).toBe(charges[1]! + charges[2]!);
  });
});
