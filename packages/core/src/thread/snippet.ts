const before = 50;
const length = 180;
/** The end of a text that a letter would continue. */
const inWord = /[\p{L}\p{N}\p{M}]$/u;

/**
 * The part of the first text that has most of the words, in one line. Null if no text has any of
 * them, or if it would repeat the title.
 */
export function snippetOf(
  { title, texts }: { readonly title: string; readonly texts: readonly string[] },
  words: readonly string[],
): string | null {
  const isInTitle = words.every((word) => placeOf(title, word) !== -1);
  const beginning = title.replace(/…$/, "").trim();
  const [best] = texts
    .filter((text) => !(isInTitle && text.trim().startsWith(beginning)))
    .map((text) => ({ text, found: words.filter((word) => placeOf(text, word) !== -1) }))
    .filter(({ found }) => found.length > 0)
    .toSorted((a, b) => b.found.length - a.found.length);
  if (!best) return null;
  const line = best.text.replaceAll(/\s+/g, " ").trim();
  const places = best.found.map((word) => placeOf(line, word)).filter((place) => place !== -1);
  const from = wordStart(line, Math.max(0, Math.min(...places, line.length) - before));
  const part = line.slice(from, from + length);
  return `${from > 0 ? "…" : ""}${part.trim()}${from + length < line.length ? "…" : ""}`;
}

/** Where a word of the text begins with this one, or -1. */
function placeOf(text: string, word: string): number {
  const lower = text.toLowerCase();
  for (let at = lower.indexOf(word); at !== -1; at = lower.indexOf(word, at + word.length))
    if (!inWord.test(lower.slice(Math.max(0, at - 2), at))) return at;
  return -1;
}

/** A cut in the middle of a word is moved behind it. */
function wordStart(line: string, at: number): number {
  if (at === 0) return 0;
  const space = line.indexOf(" ", at);
  return space === -1 || space - at > 20 ? at : space + 1;
}
