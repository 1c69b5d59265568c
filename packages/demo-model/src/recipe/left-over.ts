import { anyTime, conditionWords, fillerWords, selectingWords } from "../recipes/word-lists.ts";
import { contentWords } from "../words/content-words.ts";

const fillers = new Set(fillerWords.split(" "));
const selecting = new Set(selectingWords.split(" "));

/** Parts of a request that no reader took and no phrase has. Taken words are blanks. */
export function leftOver(rest: string, phrases: readonly string[]): readonly string[] {
  const known = phrases.flatMap((phrase) => phrase.toLowerCase().split(/[\s|_^]+/));
  const isKnown = (word: string) =>
    fillers.has(word) ||
    known.some((one) => (one.endsWith("*") ? word.startsWith(one.slice(0, -1)) : word === one));
  return rest
    .replace(/\bmost recent\b/gi, (found) => " ".repeat(found.length))
    .split(/\s{2,}|[,;:.?!()]+(?:\s|$)/)
    .map((part) => part.trim().replace(/^(?:and|but|or|then|also)\s+/i, ""))
    .filter((part) =>
      [...contentWords(part), ...part.split(" ").filter((word) => selecting.has(word))].some(
        (word) => !isKnown(word.toLowerCase()),
      ),
    );
}

const condition = new RegExp(`(?<![\\p{L}'])(?:${conditionWords})(?![\\p{L}'])`, "iu");

/** Whether words that nobody read could mean that something must not be done, or not yet. */
export function hasCondition(words: string): boolean {
  return condition.test(words);
}

const anyTimeIn = new RegExp(`(?<![\\p{L}\\d])(?:${anyTime})(?![\\p{L}\\d])`, "iu");

/** The first time in words: "tomorrow at 9". */
export function timeIn(words: string): string | undefined {
  return anyTimeIn.exec(words)?.[0];
}
