import type { Conversation } from "../conversation.ts";
import { isObject } from "../wire.ts";

const maxCharacters = 1_500;
const maxLine = 200;

/**
 * The output of the auxiliary calls that shorten a conversation or a long run: what the user said,
 * in short. Undefined for other requests.
 */
export function summarizeMessages({
  system,
  task,
}: Conversation): { readonly summary: string } | undefined {
  if (!/^\[AUXILIARY CALL (?:conversation|checkpoint \d+)\]/.test(system)) return undefined;
  const { summary, task: first, messages } = parse(task);
  const lines = [
    ...(typeof summary === "string" ? [summary] : []),
    ...(typeof first === "string" && first !== "" ? [`The task: ${first}`] : []),
    ...(Array.isArray(messages) ? messages : []).flatMap((message: unknown) =>
      isObject(message) && message["from"] === "user" && typeof message["text"] === "string"
        ? [`The user said: ${message["text"]}`]
        : [],
    ),
  ].map((line) => line.slice(0, maxLine));
  while (lines.length > 1 && lines.join("\n").length > maxCharacters) lines.splice(1, 1);
  return { summary: lines.join("\n") || "Nothing of importance was said." };
}

function parse(text: string): { readonly [name: string]: unknown } {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
