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
});
