const boundary =
  /(?:[.?!;]+\s+|\s*\n\s*)(?:\d{1,2}[.)]\s+|[-*]\s+)?(?:and\s|then\s|also\s)?|,?\s+(?:and then|and also|then|and|but|&)\s|,\s/gi;

export interface Clause {
  /** What separates it from the clause before it. */
  readonly separator: string;
  readonly words: string;
}

export function splitClauses(text: string): readonly Clause[] {
  const clauses: Clause[] = [];
  let separator = "";
  let at = /^\d{1,2}[.)]\s+/.exec(text)?.[0].length ?? 0;
  for (const { index, 0: found } of text.matchAll(boundary)) {
    if (index < at) continue;
    clauses.push({ separator, words: text.slice(at, index) });
    separator = found;
    at = index + found.length;
  }
  clauses.push({ separator, words: text.slice(at) });
  return clauses;
}
