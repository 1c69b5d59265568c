import { BronError } from "@bron/core";
import { hasHidden } from "@bron/protocol";

/** Throws invalid_arguments if the text would not be displayed as one line exactly as written. */
export function checkOneLine(what: string, text: string): void {
  if (hasHidden(text) || !text.isWellFormed())
    throw new BronError(
      "invalid_arguments",
      `${what} ${JSON.stringify(text)} contains invisible characters: line breaks, control characters, text direction marks or similar. Remove them.`,
    );
}

/**
 * Throws invalid_arguments for characters that cannot be stored or displayed. Other hidden
 * characters are allowed, because previews spell them out.
 */
export function checkText(what: string, text: string): void {
  if (text.includes("\0") || !text.isWellFormed())
    throw new BronError(
      "invalid_arguments",
      `${what} contains invalid characters (NUL or unpaired surrogates).`,
    );
}

/** Whether mail clients would decode the text (RFC 2047) and display something else. */
export function isEncodedWord(text: string): boolean {
  return /=\?[^?\s]*\?[bq]\?/i.test(text);
}
