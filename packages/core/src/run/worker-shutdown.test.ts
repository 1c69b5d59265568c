import { createLoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";

describe("a worker that shuts down in order", () => {
  it("X2 waits for what may not be repeated, and leaves the rest to be begun anew, whoever writes meanwhile", async () => {
    const leaving = new AbortController();
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
        leaving.abort(new BronError("interrupted", "The worker shuts down"));
        await harness.clock.sleep(200);
        // Someone else writes just before its end is written down.
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
    expect(await harness.advance(run.id, {}, leaving.signal)).toBe("let_go");
    expect(await harness.results(run.id)).toMatchObject([{ name: "once", outcome: "completed" }]);
    expect(await harness.advance(run.id)).toBe("parked");
    expect({ prepares, ran }).toEqual({ prepares: 2, ran: 1 });
  });
});
