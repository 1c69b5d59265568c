import { BronError } from "@bron/core";

/**
 * Breaks a line, turns its direction or does not show at all, so that what is shown would not be what is meant. What only picks a
 * form of the character before it stays, and so do joiners, where a script or an emoji needs them: between Latin letters they join nothing.
 */
const hiddenKinds = [
  String.raw`[\p{Cc}\u2028\u2029\uFFF9-\uFFFB]`,
  String.raw`(?![\u200C\u200D\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}`,
  String.raw`(?<![^\p{ASCII}\p{Script=Latin}])[\u200C\u200D]`,
  String.raw`[\u200C\u200D](?![^\p{ASCII}\p{Script=Latin}])`,
];
const hidden = new RegExp(hiddenKinds.join("|"), "u");
const everyHidden = new RegExp(hidden, "gu");

/** Throws invalid_arguments for what does not stay on one line as it reads. */
export function checkOneLine(what: string, text: string): void {
  if (hidden.test(text) || !text.isWellFormed()) throw new BronError("invalid_arguments", `${what} ${JSON.stringify(text)} has characters that do not show: line breaks, controls, changes of direction or invisible ones.`);
}

/** Throws invalid_arguments for what no store and no reader takes. The rest is spelled out where somebody decides. */
export function checkText(what: string, text: string): void {
  if (text.includes("\0") || !text.isWellFormed()) throw new BronError("invalid_arguments", `${what} has characters that are none: NUL, or halves of others.`);
}

/** RFC 2047: readers show something else in its place. */
export function isEncodedWord(text: string): boolean {
  return /=\?[^?\s]*\?[bq]\?/i.test(text);
}

/** For a person: what does not show is spelled out. */
export function spellOut(text: string): string {
  return text.replaceAll(everyHidden, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same for a text of several lines: its breaks and tabs stay. */
export function spellOutText(text: string): string {
  return text.split(/(\r?\n|\t)/).map((part, index) => (index % 2 === 0 ? spellOut(part) : part.replace("\r", ""))).join("");
}
