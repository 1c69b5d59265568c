import { isMoreThanALine } from "@bron/protocol";

/** A text that was pasted or dropped into a field, and does not count as the owner's words. */
export interface PastedText {
  readonly id: number;
  readonly text: string;
}

/** As many as a request may have. */
export const maxPastedTexts = 20;

/**
 * What becomes of a text that arrives in a field at once. Undefined: it stays text. What the owner
 * copied in this field is theirs. Beyond the limit, the text joins the last one.
 */
export function withPasted(
  before: readonly PastedText[],
  text: string,
  copiedHere: string,
): readonly PastedText[] | undefined {
  if (!isMoreThanALine(text) || sameLines(text) === sameLines(copiedHere)) return undefined;
  const last = before.at(-1);
  if (last && before.length >= maxPastedTexts)
    return [...before.slice(0, -1), { ...last, text: `${last.text}\n\n${text}` }];
  return [...before, { id: (last?.id ?? 0) + 1, text }];
}

/** Systems change line ends when a text is copied. */
function sameLines(text: string): string {
  return text.replaceAll(/\r\n?/gu, "\n").trim();
}

/** The words with a pasted text that the owner says is theirs. */
export function withOwnText(words: string, text: string): string {
  if (words === "") return text;
  return `${words}${/\s$/u.test(words) ? "" : "\n"}${text}`;
}
