import { BronError } from "@bron/core";

/** Breaks a line, or turns its direction, so that what is shown would not be what is meant. */
// oxlint-disable-next-line no-control-regex
const hidden = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

/** Throws invalid_arguments for what does not stay on one line as it reads. */
export function checkOneLine(what: string, text: string): void {
  if (hidden.test(text) || !text.isWellFormed()) throw new BronError("invalid_arguments", `${what} ${JSON.stringify(text)} has characters that do not show: line breaks, controls or changes of direction.`);
}

/** RFC 2047: readers show something else in its place. */
export function isEncodedWord(text: string): boolean {
  return /=\?[^?\s]*\?[bq]\?/i.test(text);
}

/** For a person: what does not show is spelled out. */
export function spellOut(text: string): string {
  return text.replaceAll(new RegExp(hidden, "g"), (character) => `\\u{${character.charCodeAt(0).toString(16)}}`);
}
