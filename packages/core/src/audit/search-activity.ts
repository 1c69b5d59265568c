import { cleanText } from "../context/clean-text.ts";

const maxTerms = 8;

/** How many rows a search looks through before it returns what it has found. */
export const maxSearchedRows = 1_000;

/** Fields of a prepared form and of details that are the same for all actions of an account. */
export const unsearchedFields = ["account", "from"];

/** What a search looks for, in lower case: each of these must occur somewhere in a row. */
export function searchTerms(search: string): string[] {
  return cleanText(search)
    .toLowerCase()
    .split(/\s+/)
    .filter((term) => term !== "")
    .slice(0, maxTerms);
}

export function hasAllTerms(text: string, terms: readonly string[]): boolean {
  const lower = text.toLowerCase();
  return terms.every((term) => lower.includes(term));
}
