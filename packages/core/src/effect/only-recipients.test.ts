import { createLoopHarness } from "@bron/testing";
import { expect, it } from "vitest";
import { z } from "zod";
import { parseRecipientLimit } from "../policy/recipient-limit.ts";
import { defineTool } from "../tool/define-tool.ts";

it("BR13 X1 sends to no one beyond the limit, even after an approval that came before it", async () => {
  const sent: string[] = [];
  const send = defineTool({
    name: "send",
    description: "Sends.",
    input: z.object({ to: z.string() }),
    sideEffect: true,
    execute: ({ to }: { to: string }) => (sent.push(to), "sent"),
  });
  const loop = createLoopHarness({
    script: ({ turn }) =>
      turn === 0
        ? { calls: [{ tool: "send", input: { to: "eve@evil.example" } }] }
        : { text: "Done." },
    tools: [send],
  });
  const onlyRecipients = parseRecipientLimit(["lindqvist.example"]);
  const denied = await loop.create();
  expect(await loop.advance(denied.id, { onlyRecipients })).toBe("ended");
  expect(await loop.results(denied.id)).toMatchObject([
    { outcome: "rejected", error: { message: expect.stringContaining("eve@evil.example") } },
  ]);
  const approved = await loop.create();
  expect(await loop.advance(approved.id)).toBe("parked");
  await loop.decide(approved.id, true);
  expect(await loop.advance(approved.id, { onlyRecipients })).toBe("ended");
  expect(await loop.results(approved.id)).toMatchObject([{ outcome: "failed" }]);
  expect(sent).toEqual([]);
});
