const maxWords = 8;
const maxWordLength = 60;

/**
 * The words of a text in lower case. Everything that is neither a letter nor a digit separates
 * words, so an address can be found by its domain.
 */
function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

/** What a search looks for. More words than anyone types are ignored. */
export function searchWords(query: string): string[] {
  return wordsOf(query)
    .slice(0, maxWords)
    .map((word) => word.slice(0, maxWordLength));
}

/** Whether a text has all words. The last one may be the start of a word, because it is being typed. */
export function hasWords(text: string, words: readonly string[]): boolean {
  const all = new Set(wordsOf(text));
  return words.every((word, place) =>
    place < words.length - 1 ? all.has(word) : [...all].some((one) => one.startsWith(word)),
  );
}
