/** Letters that Unicode normalization does not split into a base letter and an accent. */
const specials: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ı: "i",
  þ: "th",
};

/**
 * Splits a text into lowercase words without accents. Chinese and Japanese characters count as
 * single words because no spaces separate them.
 */
export function foldWords(text: string): string[] {
  const folded = isAscii(text)
    ? text.toLowerCase()
    : text
        .normalize("NFKD")
        .replace(/\p{M}+/gu, "")
        .toLowerCase()
        .replace(/[ßæœøłđıþ]/g, (letter) => specials[letter] ?? letter);
  return (
    folded.match(
      /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[\p{L}\p{N}_]+?(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]|[^\p{L}\p{N}_]|$)/gu,
    ) ?? []
  );
}

function isAscii(text: string): boolean {
  // oxlint-disable-next-line eslint/no-control-regex
  return /^[\x00-\x7f]*$/.test(text);
}
