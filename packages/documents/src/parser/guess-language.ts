import type { Language } from "../parsed-document.ts";

/** Below this many letters a guess is worth little. */
const minLetters = 40;
/** Below this, tables of names and numbers would have a language. */
const minConfidence = 0.4;
const pieceCharacters = 400;

/** The language of a text that is long enough to tell, if there is one that most of it fits. */
export async function guessLanguage(text: string): Promise<Language | undefined> {
  if (countLetters(text) < minLetters) return undefined;
  // The smallest of its three: 24 languages in 70 kB.
  const { detectAll } = await import("tinyld/light");
  const pieces = piecesOf(text);
  const votes = new Map<string, number>();
  for (const piece of pieces) {
    const guesses = detectAll(piece);
    const all = guesses.reduce((sum, { accuracy }) => sum + accuracy, 0);
    for (const { lang, accuracy } of guesses)
      votes.set(lang, (votes.get(lang) ?? 0) + accuracy / all / pieces.length);
  }
  const [code, share] = [...votes].reduce((best, one) => (one[1] > best[1] ? one : best), ["", 0]);
  const confidence = Math.round(Math.min(1, share) * 100) / 100;
  return /^[a-z]{2}$/.test(code) && confidence >= minConfidence ? { code, confidence } : undefined;
}

/** Cut between words; without those that have too few letters to count. */
function piecesOf(text: string): string[] {
  const pieces =
    text.match(new RegExp(`[^]{1,${pieceCharacters}}(?=\\s|$)|[^]{1,${pieceCharacters}}`, "g")) ??
    [];
  return pieces.filter((piece) => countLetters(piece) >= minLetters);
}

function countLetters(text: string): number {
  return text.match(/\p{L}/gu)?.length ?? 0;
}
