import { normalizeText } from "@bron/core";

/**
 * Normalizes letters, punctuation and spaces. Keeps line breaks and tabs, because numbers never
 * span them.
 */
export function foldSigns(text: string): string {
  return (
    normalizeText(text.toLowerCase(), "NFKC")
      // Lowercase again, because the NFKC form of a letter may be a capital. Also unify both forms
      // of sigma.
      .toLowerCase()
      .replaceAll("\u03c2", "\u03c3")
      .replace(/[\u00ad\u200b-\u200f\u2060\ufeff]/g, "")
      .replace(/[\u2010-\u2015\u2212]/g, "-")
      .replace(/[\u2018-\u201b`\u00b4]/g, "'")
      .replace(/[\u201c-\u201f\u00ab\u00bb]/g, '"')
  );
}

export function foldSpaces(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
