import {
  declaredOutcomes,
  reportOutcomeName,
  type DeclaredOutcome,
  type JsonValue,
} from "@bron/protocol";
import { z } from "zod";
import { BronError } from "../errors.ts";
import { defineTool } from "./define-tool.ts";
import type { Tool } from "./tool.ts";

const inputSchema = z.object({ outcome: z.enum(declaredOutcomes) });

/**
 * The tool with which the model says how the task went. The loop carries it out: a message that
 * calls nothing else ends the run.
 */
export const reportOutcomeTool: Tool = defineTool({
  name: reportOutcomeName,
  description:
    "Says how the task went. Call it once, together with your last message to the user. done: you did everything that the user asked for. partly_done: you did a part of it. could_not: you did none of it, for example because you have no tool for it, or it failed. needs_answer: your last message asks the user something that you need before you can go on.",
  input: inputSchema,
  label: "trusted",
  reuseOnRetry: false,
  repeatable: true,
  parallelSafe: true,
  execute() {
    throw new BronError("internal", "The loop records outcomes by itself");
  },
});

/** The outcome that a call declares. Undefined if its input is invalid. */
export function declaredIn(input: JsonValue): DeclaredOutcome | undefined {
  return inputSchema.safeParse(input).data?.outcome;
}
