/** A part of a text, and whether it is what a search found. */
interface Part {
  readonly text: string;
  readonly isFound: boolean;
}

/** Splits a text at the words that begin with one of the searched words. */
export function markFound(text: string, searched: string): readonly Part[] {
  const wanted = wordsIn(searched).map(({ word }) => word);
  if (wanted.length === 0) return [{ text, isFound: false }];
  const parts: Part[] = [];
  let from = 0;
  for (const { word, at } of wordsIn(text)) {
    const length = Math.max(
      0,
      ...wanted.filter((one) => word.startsWith(one)).map((one) => one.length),
    );
    if (length === 0) continue;
    if (at > from) parts.push({ text: text.slice(from, at), isFound: false });
    parts.push({ text: text.slice(at, at + length), isFound: true });
    from = at + length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), isFound: false });
  return parts;
}

function wordsIn(text: string): { readonly word: string; readonly at: number }[] {
  return [...text.matchAll(/[\p{L}\p{N}\p{M}]+/gu)].map((match) => ({
    word: match[0].toLowerCase(),
    at: match.index,
  }));
}
