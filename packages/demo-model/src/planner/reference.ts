/**
 * Placeholder for the result of an earlier step. It uses a private-use character, which no task
 * contains.
 */
export const previousMark = "\uE100";
export const allMark = "\uE101";

const previousWords =
  /^(?:it|that|this|the (?:result|answer|outcome|value|total|sum|product|time|date|number|text|content|amount)|its (?:text|content))(?: there)?$/i;
const allWords =
  /^(?:them|both|all|all of (?:it|them|that)|everything|these|those|(?:both|all|the|all the|both the) (?:of them|results|answers|times|values|numbers))$/i;
const wordsInside = /\bthe result\b/gi;

export function hasReference(text: string): boolean {
  return text.includes(previousMark) || text.includes(allMark);
}

/** Replaces words that refer to an earlier result with its placeholder. */
export function markReferences(text: string): string {
  if (previousWords.test(text)) return previousMark;
  if (allWords.test(text)) return allMark;
  return text.replace(wordsInside, previousMark);
}

export function fillReferences(text: string, previous: string, all: string): string {
  return text.replaceAll(previousMark, previous).replaceAll(allMark, all);
}
