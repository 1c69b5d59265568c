import type { JsonObject } from "../wire.ts";
import type { CallStep, Given, WantedCall } from "../recipe/recipe.ts";
import type { ToolOutcome, Trouble } from "../recipe/tool-outcome.ts";
import { textOf } from "./json.ts";
import { noChange } from "./word-lists.ts";

/**
 * Reads what the owner wants instead. Words that are not understood in full change nothing: the
 * owner is asked, and the question is returned if that is not possible. Undefined for a refusal.
 */
export function* readReply(
  onReply: CallStep<JsonObject>["onReply"],
  { message, edit = {} }: Trouble,
  values: JsonObject & Given,
): Generator<readonly WantedCall[], Partial<Changed> | undefined, readonly ToolOutcome[]> {
  let words = message;
  while (onReply !== undefined && !noChange.test(words)) {
    const read = onReply.read({ words, edit }, values);
    if (read?.left.length === 0) return { values: read.values, words };
    const question = `${read?.ask ?? sayNotUnderstood(read?.left[0] ?? words)} I changed nothing yet. What should I change?`;
    const [answer] = yield [{ tool: "ask_user", args: { question }, doing: "ask you" }];
    if (answer?.status !== "done") return { question };
    words = textOf(answer.value, "answer");
  }
  return undefined;
}

interface Changed {
  readonly values: JsonObject;
  readonly words: string;
  readonly question: string;
}

export function sayNotUnderstood(part: string): string {
  return `I didn't understand this part: "${part}".`;
}
