import { emptyWords } from "../recipes/word-lists.ts";
import type { SlotReader } from "../recipe/slot.ts";

const empty = new Set(emptyWords.split(" "));

/** The words of a text that carry meaning. Numbers are kept because "order 4711" names an order. */
export function contentWords(text: string): readonly string[] {
  const words = text.match(/[\p{L}\d\uE200-\uE201][\p{L}\d&'’.@:/\uE200-\uE201-]*/gu) ?? [];
  const kept = words
    .map((word) => word.replace(/['’]s$/, "").replace(/[.'’:/-]+$/, ""))
    .filter((word) => word.length > 1 || /\d/.test(word));
  return [...new Set(kept)].filter((word) => !empty.has(word.toLowerCase()));
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

/** Takes the words that no other slot took. Conditions stay, because they select nothing. */
export const restWords: SlotReader<readonly string[]> = (text) => {
  const words = contentWords(text.rest());
  for (const word of words)
    text.takeAll(new RegExp(`(?<![\\p{L}\\d])${escaped(word)}(?![\\p{L}\\d])`, "u"));
  return words;
};

/** Lower case without accents. Positions in the result are positions in the text. */
export function foldText(text: string): string {
  const base = (letter: string) => (letter === "ł" ? "l" : letter.normalize("NFD").charAt(0));
  return text
    .replaceAll("’", "'")
    .replace(/[^\0-\x7f]/g, base)
    .toLowerCase();
}

/** Whether a text contains one of the words, whatever their endings. */
export function mentions(text: string, words: readonly string[]): boolean {
  const folded = foldText(text);
  return words.some((word) => folded.includes(foldText(word).replace(/(?<=.{3})(?:es|s)$/, "")));
}

/** Splits only after punctuation and line ends, so each sentence is an exact piece of the text. */
export function sentencesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?])\s+|\n+/)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\d]/u.test(sentence));
}
