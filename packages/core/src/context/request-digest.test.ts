import { hash } from "node:crypto";
import { createLoopHarness, type LoopHarness } from "@bron/testing";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../tool/define-tool.ts";
import { assistantMessage, userMessage } from "./model-messages.ts";
import { createRequestDigest } from "./request-digest.ts";

const digestText = (text: string) => `sha256:${hash("sha256", text)}`;

async function digests(loop: LoopHarness, runId: string): Promise<(string | undefined)[]> {
  return (await loop.events(runId)).flatMap((event) =>
    event.type === "step" && event.payload.phase === "start" ? [event.payload.requestDigest] : [],
  );
}

describe("the digest of a request", () => {
  const read = defineTool({
    name: "read",
    description: "Reads.",
    input: z.object({}),
    sideEffect: false,
    execute: () => "x".repeat(1_000),
  });
  const callsOnce = () =>
    createLoopHarness({
      script: ({ turn }) =>
        turn === 0 ? { calls: [{ tool: "read", input: {} }] } : { text: "Done." },
      tools: [read],
    });

  it("is in the start of each step, and equal for equal requests", async () => {
    const loops = [callsOnce(), callsOnce()];
    const [first = [], second] = await Promise.all(
      loops.map(async (loop) => {
        const run = await loop.create();
        await loop.advance(run.id);
        return await digests(loop, run.id);
      }),
    );
    expect(first).toEqual([
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
      expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    ]);
    expect(new Set(first).size).toBe(2);
    expect(second).toEqual(first);
    const other = await loops[0]!.create({ prompt: "do something else" });
    await loops[0]!.advance(other.id);
    expect(first).not.toContain((await digests(loops[0]!, other.id))[0]);
  });

  it("does not depend on the order in which tools finished", () => {
    const asked = assistantMessage(
      [
        { type: "call", callId: "a" },
        { type: "call", callId: "b" },
      ],
      ["a", "b"].map((callId) => ({ actionId: callId, callId, tool: "read", input: {} })),
      new Map(),
    );
    const result = (toolCallId: string) => ({
      type: "tool-result" as const,
      toolCallId,
      toolName: "read",
      output: { type: "text" as const, value: toolCallId },
    });
    const digestWith = (...ids: string[]) =>
      createRequestDigest(digestText)({
        messages: [userMessage("go"), asked, { role: "tool", content: ids.map(result) }],
        declarations: [],
        maxOutputTokens: 1,
      });
    expect(digestWith("a", "b")).toBe(digestWith("b", "a"));
    expect(digestWith("a")).not.toBe(digestWith("b"));
  });

  it("digests each message once", () => {
    let digested = 0;
    const digest = createRequestDigest((text) => {
      digested += text.length;
      return digestText(text);
    });
    const messages = [userMessage("x".repeat(1_000_000))];
    const declarations = [
      { type: "function" as const, name: "read", inputSchema: {}, description: "x".repeat(1_000) },
    ];
    for (let step = 0; step < 10; step++) {
      messages.push(userMessage(`step ${step}`));
      digest({ messages: [...messages], declarations, maxOutputTokens: 1 });
    }
    expect(digested).toBeLessThan(1_020_000);
  });
});
