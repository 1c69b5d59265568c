import type { ToolResult } from "./conversation.ts";
import { isObject, type JsonObject } from "./wire.ts";

/** An order that stands in what a tool returned, not in the user's words. */
interface FoundInstruction {
  /** Its words, from the verb on. */
  readonly words: string;
  readonly to: string;
  /** The text that it stood in. */
  readonly around: string;
}

/** What a model does about orders that it reads: the calls to make once the user's own task is done. */
export type InstructionStrategy = (
  results: readonly ToolResult[],
) => readonly { readonly name: string; readonly args: JsonObject }[];

/** As it should be: only the user gives orders. */
export const followUserOnly: InstructionStrategy = () => [];

/** As a model that has been taken in: it does whatever it reads. For tests of what holds even then. */
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

/** In the order in which they were read; each once. */
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
