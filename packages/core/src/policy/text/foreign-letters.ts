/** Letters of other scripts that look like Latin ones. */
export const foreignLetters: Readonly<Record<string, string>> = {
  а: "a",
  е: "e",
  о: "o",
  р: "p",
  с: "c",
  у: "y",
  х: "x",
  і: "i",
  ј: "j",
  ѕ: "s",
  ԁ: "d",
  ɡ: "g",
  ո: "n",
  ս: "u",
  һ: "h",
  ӏ: "l",
  ԛ: "q",
  ԝ: "w",
  α: "a",
  β: "b",
  ε: "e",
  ι: "i",
  κ: "k",
  ν: "v",
  ο: "o",
  ρ: "p",
  τ: "t",
  υ: "u",
  χ: "x",
};

/**
 * Replaces them in words that then consist of ASCII, as someone does who reads a word and types it.
 * Words of other scripts stay. The text must be in lower case.
 */
export function withLatinLetters(text: string): string {
  return text.replaceAll(/[\p{L}\p{N}.-]+/gu, (word) => {
    if (!/[^\0-\x7f]/.test(word)) return word;
    const latin = Array.from(word, (letter) => foreignLetters[letter] ?? letter).join("");
    return /[^\0-\x7f]/.test(latin) ? word : latin;
  });
}
