import { politeWords } from "../recipes/word-lists.ts";

/**
 * A phrase lists words that must all occur, in any order: `when|find free|available`. "|" separates
 * alternatives, "_" joins words that follow each other (`set_up`), a final "*" matches any ending,
 * and a leading "^" means that the request starts with the word.
 */
export function matchesPhrase(words: readonly string[], phrase: string): boolean {
  return phrase.split(" ").every((group) => {
    const isFirst = group.startsWith("^");
    return group
      .replace("^", "")
      .split("|")
      .some((choice) => occurs(words, choice.split("_"), isFirst));
  });
}

function occurs(words: readonly string[], wanted: readonly string[], isFirst: boolean): boolean {
  const starts = isFirst ? words.slice(0, 1) : words;
  return starts.some((_, at) => wanted.every((word, offset) => isWord(words[at + offset], word)));
}

function isWord(word: string | undefined, pattern: string): boolean {
  return pattern.endsWith("*")
    ? (word?.startsWith(pattern.slice(0, -1)) ?? false)
    : word === pattern;
}

const polite = new Set(politeWords.split(" "));

/** The words of a request in lower case, without polite words at its start. */
export function wordsOf(text: string): readonly string[] {
  const words =
    text
      .toLowerCase()
      .replace(/[‘’]/g, "'")
      .match(/#?[\p{L}\d]+(?:[:'_-][\p{L}\d]+)*/gu) ?? [];
  const start = words.findIndex((word) => !polite.has(word));
  return start < 0 ? [] : words.slice(start);
}
