/** Escapes as JSON.stringify writes them; a surrogate is escaped only when it is half a pair. */
const escapes = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;

/**
 * The same JSON without what a database cannot keep: NUL and half surrogate pairs, in keys too. Done where text enters, before
 * anything is digested, so that what is stored is what was approved.
 */
export function cleanJsonText(text: string): string {
  if (!text.includes("\\u0000") && !text.includes("\\ud")) return text;
  return text.replace(escapes, (escape) => (escape.length > 2 ? "\\ufffd" : escape));
}

export function cleanText(text: string): string {
  return text.toWellFormed().replaceAll("\u0000", "\uFFFD");
}

export function cleanJson<T>(value: T): T {
  return JSON.parse(cleanJsonText(JSON.stringify(value))) as T;
}
