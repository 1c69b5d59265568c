import type { Text } from "../recipe/text.ts";

/** For readers that have read all words of a request. */
export const everything = /^[^]*$/;

const polite =
  /^(?:(?:please|kindly|bron|now|then|also|next|first|finally|and|so|ok|okay|can you|could you|would you|go ahead and|i want to|i need to|i'd like to)\b[,:]?\s+)+/i;

/** The words of a request without polite words at its start. */
export function ownWords(text: Text): string {
  return text.rest().trim().replace(polite, "");
}

/** Also without polite words and punctuation at its end. */
export function trimmedWords(text: Text): string {
  return ownWords(text).replace(/(?:,? (?:please|thanks|thank you|for me))?[\s.?!]*$/i, "");
}

const one =
  /^(?:it|that|this|the (?:result|answer|value|total|sum|product|time|number|text|amount))$/i;
const several =
  /^(?:them|both|all(?: of them)?|everything|(?:both|all|the) (?:results|times|values|numbers))$/i;

/** Replaces "it" by the previous result and "both" by all of them. Undefined if there is none. */
export function resolveReference(
  text: string,
  {
    previous,
    allPrevious,
  }: { readonly previous?: string; readonly allPrevious: readonly string[] },
): string | undefined {
  if (several.test(text)) return allPrevious.length === 0 ? previous : allPrevious.join("; ");
  return one.test(text) ? previous : text;
}
