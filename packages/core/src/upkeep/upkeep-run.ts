import { mergeCaps, type Caps } from "@bron/protocol";
import { typedWords } from "../policy/owner-words/typed-words.ts";
import type { NewRun } from "../ports/runs/runs.ts";
import type { UpkeepInput } from "../ports/runs/upkeep.ts";

/** An upkeep run has one step and no tools, whatever the caps of tasks are. */
const upkeepCaps = {
  activeMs: 2 * 60_000,
  modelTurns: 1,
  toolCalls: 0,
  children: 0,
  depth: 0,
  tailMessages: 0,
} as const;

/** The part of an upkeep run that is the same for all. Its model reads the words at the claim. */
export function upkeepRun(caps: Caps): Pick<NewRun, "title" | "input" | "caps"> {
  const title = "Renew the memory summary";
  return { title, input: { prompt: title }, caps: mergeCaps(caps, upkeepCaps) };
}

/** The first line says to any reader of the request, such as the demo model, what it is for. */
export const upkeepInstruction = `[MEMORY SUMMARY]
You keep a short summary of what a user said about themselves. The next message is JSON: the summary so far, and what the user typed since. Write the new summary.
- Keep what stays true and helps with later tasks: how they want things done, people and companies and what they have to do with the user, standing wishes and limits.
- Leave out what only the one task was about, and everything that you would have to guess.
- What the user said last is right where it contradicts the summary.
- Short plain sentences about the user in the third person, one below the other, in the user's language. At most 1,800 characters. No headings, no comments.
- If nothing is worth keeping, write the summary so far unchanged.`;

const maxTextCharacters = 4_000;
const maxTexts = 40;

/** The message of an upkeep run, with what the owner typed and nothing that they pasted. */
export function upkeepMessage({ summary, texts }: Pick<UpkeepInput, "summary" | "texts">): string {
  const said = texts
    .map(({ content, asTyped }) => (asTyped ? content : typedWords(content).words).trim())
    .filter((text) => text !== "")
    .slice(-maxTexts)
    .map((text) => text.slice(0, maxTextCharacters));
  return JSON.stringify({ summary, said });
}
