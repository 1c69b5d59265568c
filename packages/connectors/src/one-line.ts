import { BronError } from "@bron/core";
import { hasHidden } from "@bron/protocol";

/** Throws invalid_arguments for what does not stay on one line as it reads. */
export function checkOneLine(what: string, text: string): void {
  if (hasHidden(text) || !text.isWellFormed())
    throw new BronError(
      "invalid_arguments",
      `${what} ${JSON.stringify(text)} has characters that do not show: line breaks, controls, changes of direction or invisible ones.`,
    );
}

/** Throws invalid_arguments for what no store and no reader takes. The rest is spelled out where somebody decides. */
export function checkText(what: string, text: string): void {
  if (text.includes("\0") || !text.isWellFormed())
    throw new BronError(
      "invalid_arguments",
      `${what} has characters that are none: NUL, or halves of others.`,
    );
}

/** RFC 2047: readers show something else in its place. */
export function isEncodedWord(text: string): boolean {
  return /=\?[^?\s]*\?[bq]\?/i.test(text);
}
