import { normalizeText } from "@bron/core";

/** Letters, signs and spaces as if everybody typed alike. Line breaks and tabs stay, since numbers do not reach across them. */
export function foldSigns(text: string): string {
  return (
    normalizeText(text.toLowerCase(), "NFKC")
      // Again, since the compatible form of a letter may be a capital; and one sigma, wherever it stands.
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
