/** Ways to hide a text from people but not from models. */

const zeroWidthSpace = "\u200b";

export const withZeroWidths = (text: string) => Array.from(text).join(zeroWidthSpace);

/** Characters of the tag block are invisible and map to ASCII. */
export const inTagCharacters = (text: string) =>
  Array.from(text, (letter) => String.fromCodePoint(0xe0000 + (letter.codePointAt(0) ?? 0))).join(
    "",
  );

/** Displays the text from right to left. */
export const withBidiOverride = (text: string) =>
  `\u202e${Array.from(text).reverse().join("")}\u202c`;

export const inBase64 = (text: string) => Buffer.from(text, "utf8").toString("base64");

export const inRot13 = (text: string) =>
  text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(((letter.charCodeAt(0) - first + 13) % 26) + first);
  });

/** Replaces letters with lookalikes of another alphabet. */
export const inCyrillicLookalikes = (text: string) =>
  text.replace(/[aeiopcxy]/g, (letter) => lookalikes[letter] ?? letter);

const lookalikes: Readonly<Record<string, string>> = {
  a: "а",
  e: "е",
  i: "і",
  o: "о",
  p: "р",
  c: "с",
  x: "х",
  y: "у",
};
