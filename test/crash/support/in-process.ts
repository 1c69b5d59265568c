import { defineTool } from "@bron/core";
import { createRuntime, type PostgresRuntime, type PostgresRuntimeOptions } from "@bron/runtime";
import { scriptedLanguageModel, type Script } from "@bron/testing";
import type { RunEvent } from "@bron/protocol";
import { z } from "zod";
import { createTestDatabase } from "../../support/test-database.ts";
import { harnessSecretKey } from "./crash-harness.ts";

/** How often the tools of this process ran, by run. */
interface ToolCounts {
  readonly letters: Map<string, number>;
  readonly reads: Map<string, number>;
}

export interface InProcess {
  readonly runtime: PostgresRuntime;
  readonly toolCounts: ToolCounts;
  readonly databaseUrl: string;
  close(): Promise<void>;
}

/** The letter waits for an approval while its sibling tool reads. */
export const siblingScript: Script = ({ turn }) =>
  turn === 0
    ? {
        calls: [
          { tool: "send_letter", input: { text: "hi" } },
          { tool: "read_fact", input: { text: "x" } },
        ],
      }
    : { text: "Done." };

export async function openInProcess(
  serverUrl: string,
  script: Script,
  options: Partial<PostgresRuntimeOptions> & { read?: (runId: string) => Promise<unknown> } = {},
): Promise<InProcess> {
  const database = await createTestDatabase(serverUrl);
  const toolCounts: ToolCounts = { letters: new Map(), reads: new Map() };
  const count = (of: Map<string, number>, runId: string) => of.set(runId, (of.get(runId) ?? 0) + 1);
  const input = z.object({ text: z.string() });
  const { read, ...bronOptions } = options;
  const runtime = await createRuntime({
    databaseUrl: database.url,
    secretKey: harnessSecretKey,
    model: { model: scriptedLanguageModel(script), name: "scripted", maxOutputTokens: 1_000 },
    tools: [
      defineTool({
        name: "read_fact",
        description: "Reads.",
        input,
        repeatable: true,
        parallelSafe: true,
        async execute(_input, context) {
          await read?.(context.runId);
          count(toolCounts.reads, context.runId);
          return "read";
        },
      }),
      defineTool({
        name: "send_letter",
        description: "Sends.",
        input,
        sideEffect: true,
        execute(_prepared: { text: string }, context) {
          count(toolCounts.letters, context.runId);
          return "sent";
        },
      }),
    ],
    ...bronOptions,
  });
  return {
    runtime,
    toolCounts,
    databaseUrl: database.url,
    async close() {
      await runtime.close();
      await database.drop();
    },
  };
}

export async function collect(events: AsyncIterable<RunEvent>): Promise<RunEvent[]> {
  const found: RunEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}
