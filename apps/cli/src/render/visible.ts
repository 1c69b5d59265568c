/** Tab and line break stay. The rest can move the cursor, hide text or turn its direction. */
// oxlint-disable-next-line no-control-regex
const unsafe = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u061C\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;

/** Text of others as a terminal may show it: what cannot be seen is shown as \u{...}, so that a preview is what it says. */
export function visible(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(unsafe, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

export function oneLine(text: string, maxLength = 120): string {
  const line = visible(text).replace(/\s+/g, " ").trim();
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join("")}…` : line;
}

/** Continuation lines under the first one's text. */
export function indent(text: string, width: number): string {
  return visible(text).replaceAll("\n", `\n${" ".repeat(width)}`);
}
