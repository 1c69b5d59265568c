import type { Language } from "../parsed-document.ts";

/** With fewer letters a guess is unreliable. */
const minLetters = 40;
/** With a lower threshold, tables of names and numbers would get a language. */
const minConfidence = 0.4;
const pieceCharacters = 400;

/** Detects the language that fits most of a text. Undefined if the text is too short or mixed. */
export async function guessLanguage(text: string): Promise<Language | undefined> {
  if (countLetters(text) < minLetters) return undefined;
  // The smallest of the library's three variants: 24 languages in 70 kB.
  const { detectAll } = await import("tinyld/light");
  const pieces = piecesOf(text);
  const votes = new Map<string, number>();
  for (const piece of pieces) {
    const guesses = detectAll(piece);
    const all = guesses.reduce((sum, { accuracy }) => sum + accuracy, 0);
    for (const { lang, accuracy } of guesses)
      votes.set(lang, (votes.get(lang) ?? 0) + accuracy / all / pieces.length);
  }
  const [code, share] = [...votes].reduce(
    (best, vote) => (vote[1] > best[1] ? vote : best),
    ["", 0],
  );
  const confidence = Math.round(Math.min(1, share) * 100) / 100;
  return /^[a-z]{2}$/.test(code) && confidence >= minConfidence ? { code, confidence } : undefined;
}

/** Splits between words and drops pieces with too few letters. */
function piecesOf(text: string): string[] {
  const pieces =
    text.match(new RegExp(`[^]{1,${pieceCharacters}}(?=\\s|$)|[^]{1,${pieceCharacters}}`, "g")) ??
    [];
  return pieces.filter((piece) => countLetters(piece) >= minLetters);
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}
