import { createLoopHarness } from "@bron/testing";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";

it.each([true, false])(
  "X4 BR15 a run past 50 messages writes a summary with its labels, trusted: %s",
  async (isTrusted) => {
    const read = defineTool({
      name: "read",
      description: "Reads",
      input: z.object({ n: z.number() }),
      label: { origin: "mail", isTrusted: () => isTrusted },
      repeatable: true,
      execute: ({ n }) => ({ n }),
    });
    const harness = createLoopHarness({
      tools: [read],
      script: ({ options, turn }) => {
        if (JSON.stringify(options.prompt[0]).includes("[AUXILIARY CALL checkpoint"))
          return { text: '{"summary":"It read a lot."}' };
        return turn < 30 ? { calls: [{ tool: "read", input: { n: turn } }] } : { text: "Done." };
      },
    });
    const run = await harness.create({}, { modelTurns: 100, toolCalls: 100 });
    await harness.advance(run.id);
    const summaries = (await harness.events(run.id)).flatMap(({ type, payload }) =>
      type === "summary" ? [payload] : [],
    );
    expect(summaries).toEqual([
      {
        of: "run",
        text: "It read a lot.",
        messages: 50,
        trusted: isTrusted,
        origins: isTrusted ? [] : ["mail"],
      },
    ]);
    expect(await harness.run(run.id)).toMatchObject({ status: "completed" });
  },
);
