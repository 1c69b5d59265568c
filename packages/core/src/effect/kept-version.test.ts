import { createLoopHarness } from "@bron/testing";
import { expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";

it("X3 has the text that an effect replaces in the log before it goes on", async () => {
  const seen: object[] = [];
  const replace = defineTool({
    name: "replace",
    description: "Replaces.",
    input: z.object({}),
    sideEffect: true,
    seenBy: "owner",
    effectKind: "write_note",
    label: "trusted",
    async execute(_, { keepPrevious, effectId, runId }) {
      const bytes = new TextEncoder().encode("milk");
      await keepPrevious({ name: "Shopping.txt", mediaType: "text/plain", bytes });
      for (const { type, payload } of await harness.events(runId))
        if (type === "artifact") seen.push({ effectId, payload });
      return "replaced";
    },
  });
  const harness = createLoopHarness({
    script: ({ options }) =>
      options.prompt.at(-1)?.role === "user"
        ? { calls: [{ tool: "replace", input: {} }] }
        : { text: "Done." },
    tools: [replace],
  });
  const run = await harness.create({ prompt: "Replace the note" });
  await harness.advance(run.id);
  expect(seen).toHaveLength(1);
  const [{ effectId, payload }] = seen as [{ effectId: string; payload: object }];
  expect(payload).toMatchObject({ kind: "previous_version", name: "Shopping.txt", effectId });
});
