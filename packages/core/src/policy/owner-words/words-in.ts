import { normalizeText } from "../text/normalize-text.ts";

const spelledOut: Readonly<Record<string, string>> = {
  ä: "ae",
  ö: "oe",
  ü: "ue",
  ß: "ss",
  ø: "oe",
  å: "aa",
  æ: "ae",
  ł: "l",
  đ: "d",
};

/**
 * Splits text into words, spelled as in addresses: Schröder becomes schroeder, Wójcik becomes
 * wojcik.
 */
export function wordsIn(text: string): string[] {
  // A fast path for most names, because this runs for each trusted contact.
  if (!/[^\0-\x7f]/.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const folded = Array.from(
    normalizeText(text, "NFC").toLowerCase(),
    (letter) => spelledOut[letter] ?? letter,
  ).join("");
  return (
    normalizeText(folded, "NFKD")
      .replaceAll(/\p{M}/gu, "")
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
