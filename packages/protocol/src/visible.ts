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

/** Whether something in it does not show, or not where it stands. */
export function hasHidden(text: string): boolean {
  return hidden.test(text);
}

/** On one line, for a person: what does not show is spelled out. */
export function spellOut(text: string): string {
  return text.replaceAll(
    everyHidden,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Text of others as it may be shown: what cannot be seen is shown as \\u{...}, so that a preview is what it says. Line breaks and tabs stay. */
export function visible(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 0 ? spellOut(part) : part.replace("\r", "")))
    .join("");
}
