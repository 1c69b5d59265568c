import type { Language } from "../parsed-document.ts";

/** Below this many letters a guess is worth little. */
const minLetters = 40;

/** The language of a text that is long enough to tell, if there is one that fits. */
export async function guessLanguage(text: string): Promise<Language | undefined> {
  if ((text.match(/\p{L}/gu)?.length ?? 0) < minLetters) return undefined;
  // The smallest of its three: 24 languages in 70 kB.
  const { detectAll } = await import("tinyld/light");
  const [best] = detectAll(text);
  return best && /^[a-z]{2}$/.test(best.lang) ? { code: best.lang, confidence: Math.round(Math.min(1, best.accuracy) * 100) / 100 } : undefined;
}
