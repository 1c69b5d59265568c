/**
 * Characters that break a line, change the text direction or are invisible. They can make a text
 * look different from what it says. Variation selectors are allowed. Joiners are allowed where a
 * script or an emoji needs them, which is never the case next to ASCII or Latin characters.
 */
const hiddenKinds = [
  String.raw`[\p{Cc}\u2028\u2029\uFFF9-\uFFFB]`,
  String.raw`(?![\u200C\u200D\uFE00-\uFE0F])\p{Default_Ignorable_Code_Point}`,
  String.raw`(?<![^\p{ASCII}\p{Script=Latin}])[\u200C\u200D]`,
  String.raw`[\u200C\u200D](?![^\p{ASCII}\p{Script=Latin}])`,
];
const hidden = new RegExp(hiddenKinds.join("|"), "u");
const everyHidden = new RegExp(hidden, "gu");

/** Whether the text contains a hidden character. */
export function hasHidden(text: string): boolean {
  return hidden.test(text);
}

/** Escapes every hidden character and line break as \\u{...}, so that the text fits on one line. */
export function spellOut(text: string): string {
  return text.replaceAll(
    everyHidden,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/**
 * Escapes hidden characters in untrusted text as \\u{...}, so that a preview shows all of it. Line
 * breaks and tabs stay.
 */
export function visible(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) => (index % 2 === 0 ? spellOut(part) : part.replace("\r", "")))
    .join("");
}
