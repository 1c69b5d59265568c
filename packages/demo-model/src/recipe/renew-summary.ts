import { isObject, type GenerateRequest } from "../wire.ts";

const maxCharacters = 1_800;
/** How people say something about themselves that stays true. */
const aboutThemselves =
  /^(?:(?:please )?(?:remember|note|keep in mind|don't forget)(?: that)?:? |(?:i|i'm|i've|my|we|our|call me|always|never|ich|mein|meine|je|mon|ma)\b)/i;
const asking = /^(?:remember|note|keep in mind|don't forget|please remember)(?: that)?:? /i;
const wishes = /^(?:i want|i need|i'd like|i would like) (?:you )?to\b/i;

/** The instruction of an upkeep run begins with this line. */
export function isUpkeep(system: string): boolean {
  return system.startsWith("[MEMORY SUMMARY]");
}

/** The summary so far, and each sentence in which the owner says something about themselves. */
export function renewSummary({ contents }: Pick<GenerateRequest, "contents">): string {
  const { summary, said } = inputIn(contents);
  const lines = summary.split("\n").filter((line) => line.trim() !== "");
  for (const text of said)
    for (const sentence of text.split(/(?<=[.!?])\s+|\n/)) {
      const plain = sentence.trim();
      if (!aboutThemselves.test(plain) || wishes.test(plain) || plain.endsWith("?")) continue;
      const line = `The user said: ${plain.replace(asking, "").trim()}`;
      if (!lines.includes(line)) lines.push(line);
    }
  while (lines.length > 1 && lines.join("\n").length > maxCharacters) lines.shift();
  return lines.join("\n").slice(0, maxCharacters) || "Nothing is known about the user yet.";
}

function inputIn(contents: GenerateRequest["contents"]): {
  readonly summary: string;
  readonly said: readonly string[];
} {
  for (const { parts } of contents)
    for (const { text = "" } of parts) {
      const value = parse(text);
      if (isObject(value) && typeof value["summary"] === "string" && Array.isArray(value["said"]))
        return {
          summary: value["summary"],
          said: value["said"].filter((one) => typeof one === "string"),
        };
    }
  return { summary: "", said: [] };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
