/** Tab and line break stay. The rest can move a cursor, hide text or turn its direction. */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u00AD\u061C\u180E\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB\u{E0000}-\u{E007F}]/gu;

/** Text of others as it may be shown: what cannot be seen is shown as \\u{...}, so that a preview is what it says. */
export function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}
