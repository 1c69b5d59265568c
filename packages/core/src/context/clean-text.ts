/** Escapes as JSON.stringify writes them. It escapes a surrogate only when it is unpaired. */
const escapes = /\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g;

/**
 * Replaces what a database cannot store, in keys too: NUL and unpaired surrogates. Runs where text
 * enters, before anything is digested, so that the stored text is the approved text.
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
