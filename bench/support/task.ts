import { defineTool, type Tool } from "@bron/core";
import { z } from "zod";

export interface Task {
  /**
   * The number of model calls. The last one responds with text, and each of the others asks for one
   * tool call.
   */
  readonly steps: number;
  readonly tool?: "echo" | "send";
  /** How long the model takes for each response. */
  readonly delayMs?: number;
}

/** The prompt from which model-server.ts reads its behavior. */
export function promptOf({ steps, tool = "echo", delayMs = 0 }: Task): string {
  return `steps=${steps} tool=${tool} delayMs=${delayMs}`;
}

export const echo = ({ text }: { readonly text: string }) => ({
  echoed: text,
  length: text.length,
});

const input = z.object({ text: z.string() });

/** A tool that reads, and one with an effect that calls `onEffect`. */
export function benchTools(onEffect: () => void): Tool[] {
  return [
    defineTool({
      name: "echo",
      description: "Gives the text back.",
      input,
      repeatable: true,
      parallelSafe: true,
      execute: (args) => Promise.resolve(echo(args)),
    }),
    defineTool({
      name: "send",
      description: "Sends the text.",
      input,
      sideEffect: true,
      prepare: (args) => ({ prepared: { text: args.text }, preview: `Send “${args.text}”` }),
      execute: (_prepared: { text: string }) => {
        onEffect();
        return Promise.resolve({ sent: true });
      },
    }),
  ];
}
