import { sha256 } from "../policy/digest.ts";
import { normalizeText } from "../policy/text/normalize-text.ts";

/** Texts that differ only in case, spaces and the mark at their end are the same. */
export function plainText(text: string): string {
  return normalizeText(text, "NFKC")
    .toLowerCase()
    .replaceAll(/\s+/gu, " ")
    .trim()
    .replace(/[.!。！]{1,5}$/u, "")
    .trimEnd();
}

/** By which the same text is found again, also once it is forgotten. */
export async function memoryDigest(text: string): Promise<string> {
  return await sha256(new TextEncoder().encode(plainText(text)));
}
