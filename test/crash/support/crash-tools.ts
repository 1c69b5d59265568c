import { randomBytes } from "node:crypto";
import type { JsonObject } from "@bron/protocol";
import { BronError, defineClientTool, defineTool, type Tool, type ToolContext } from "@bron/core";
import { z } from "zod";

const text = z.object({ text: z.string() });

/** One tool of each kind. All of them act on the outside simulator over HTTP. */
export function crashTools(simulatorUrl: string, options: { slowMs?: number } = {}): Tool[] {
  const call = async (
    path: string,
    tool: string,
    context: ToolContext,
    key: string,
  ): Promise<JsonObject> => {
    const query = new URLSearchParams({ run: context.runId, tool, key });
    // The request ignores the abort signal, so a request that was about to leave does leave.
    const response = await fetch(`${simulatorUrl}${path}?${query}`, { method: "POST" });
    if (response.status === 410)
      throw new BronError("effect_not_done", "The handle is gone; nothing was sent.");
    if (!response.ok) throw new BronError("tool_failed", `The world answered ${response.status}`);
    return (await response.json()) as JsonObject;
  };
  return [
    defineTool({
      name: "read_fact",
      description: "Reads; may run again.",
      input: text,
      repeatable: true,
      parallelSafe: true,
      execute: async (input, context) => {
        await context.saveArtifact({
          kind: "fact",
          name: "fact.txt",
          mediaType: "text/plain",
          bytes: new TextEncoder().encode(input.text),
        });
        return { fact: input.text, ...(await call("/do", "read_fact", context, context.actionId)) };
      },
    }),
    defineClientTool({
      name: "fill_form",
      description: "Another program does it.",
      input: text,
      output: z.string(),
      program: "page",
      deadlineMs: 3_600_000,
      ifExpired: "unknown",
    }),
    defineTool({
      name: "long_read",
      description: "Reads more than the log holds; may run again.",
      input: text,
      repeatable: true,
      execute: () => "x".repeat(50_000),
    }),
    defineTool({
      name: "count_once",
      description: "Must not run twice, and nobody can find out.",
      input: text,
      timeoutMs: 10_000,
      execute: async (_input, context) =>
        await call("/do", "count_once", context, context.actionId),
    }),
    defineTool({
      name: "keep_bytes",
      description: "Keeps so many bytes, which no disk can press, as an artifact; may run again.",
      input: text,
      repeatable: true,
      execute: async (input, context) =>
        await context.saveArtifact({
          kind: "bytes",
          name: "bytes.bin",
          mediaType: "application/octet-stream",
          bytes: randomBytes(Number(input.text)),
        }),
    }),
    defineTool({
      name: "slow_read",
      description: "Reads slowly.",
      input: text,
      repeatable: true,
      parallelSafe: true,
      async execute(_input, context) {
        context.reportProgress(`Reading in ${context.actionId}`);
        await new Promise((resolve) => setTimeout(resolve, options.slowMs ?? 300));
        return await call("/do", "slow_read", context, context.actionId);
      },
    }),
    defineTool({
      name: "send_letter",
      description:
        "An effect that can be found out about: the handle is burned before it may say that nothing happened.",
      input: text,
      sideEffect: true,
      timeoutMs: 4_000,
      prepare: (input) => ({
        prepared: { letter: input.text },
        preview: `Send the letter “${input.text}”`,
      }),
      execute: async (_prepared, context) =>
        await call("/do", "send_letter", context, `${context.effectId}/${context.attempt}`),
      async reconcile(_prepared, context) {
        const { done } = await call(
          "/burn",
          "send_letter",
          context,
          `${context.effectId}/${context.attempt}`,
        );
        return done === true ? { state: "done", output: { found: true } } : { state: "not_done" };
      },
    }),
    defineTool({
      name: "unsure_letter",
      description: "An effect that happens, but whose answer is lost: reconcile finds it.",
      input: text,
      sideEffect: true,
      timeoutMs: 2_000,
      async execute(_prepared: { text: string }, context) {
        await call("/do", "unsure_letter", context, `${context.effectId}/${context.attempt}`);
        throw new TypeError("The connection was cut");
      },
      async reconcile(_prepared, context) {
        const { done } = await call(
          "/burn",
          "unsure_letter",
          context,
          `${context.effectId}/${context.attempt}`,
        );
        return done === true ? { state: "done", output: { found: true } } : { state: "not_done" };
      },
    }),
    defineTool({
      name: "ring_bell",
      description: "An effect that nobody can find out about.",
      input: text,
      sideEffect: true,
      timeoutMs: 4_000,
      execute: async (_prepared: { text: string }, context) =>
        await call("/do", "ring_bell", context, context.effectId),
    }),
  ];
}
