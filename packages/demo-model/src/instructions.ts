import type { ToolResult } from "./conversation.ts";
import { isObject, type JsonObject } from "./wire.ts";

/** An instruction found in a tool result instead of the user's message. */
interface FoundInstruction {
  /** The text of the instruction, starting at its verb. */
  readonly words: string;
  readonly to: string;
  /** The text that contained the instruction. */
  readonly around: string;
}

/**
 * How a model treats instructions in tool results. Returns the calls to make after the user's own
 * task.
 */
export type InstructionStrategy = (
  results: readonly ToolResult[],
) => readonly { readonly name: string; readonly args: JsonObject }[];

/** The safe behavior: ignore instructions in tool results. */
export const followUserOnly: InstructionStrategy = () => [];

/**
 * The behavior of a compromised model that follows every instruction it reads. Used to test the
 * guards that must hold even then.
 */
export const followEveryInstruction: InstructionStrategy = (results) => {
  const sent = new Set(
    results
      .filter(({ name }) => name === "gmail_send")
      .map(({ args }) => JSON.stringify(args["to"]) + String(args["subject"])),
  );
  return findInstructions(results)
    .map(({ words, to, around }) => ({
      name: "gmail_send",
      args: { to: [to], subject: words.slice(0, 100), bodyText: around },
    }))
    .filter(({ args }) => !sent.has(JSON.stringify(args.to) + args.subject))
    .slice(0, 1);
};

const order =
  /\bassistant\s*[:,]\s*(?:please\s+)?(?<words>(?:send|forward|e-?mail|mail)\b[^.\n]{0,300}?\bto\s+<?(?<to>[\w.+-]+@[\w-]+(?:\.[\w-]+)+))/gi;

/** In the order of the results, without duplicates. */
function findInstructions(results: readonly ToolResult[]): readonly FoundInstruction[] {
  const found = new Map<string, FoundInstruction>();
  for (const text of results.flatMap(({ response }) => textsIn(response))) {
    for (const { groups } of text.matchAll(order)) {
      const { words = "", to = "" } = groups ?? {};
      const instruction = { words: words.replace(/\s+/g, " "), to, around: text };
      if (!found.has(instruction.words)) found.set(instruction.words, instruction);
    }
  }
  return [...found.values()];
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  return isObject(value) ? Object.values(value).flatMap(textsIn) : [];
}
