/** A longer line is more than a person writes in one place, such as a paragraph of a mail. */
const maxLineCharacters = 200;

/**
 * Whether a text that was pasted or dropped at once counts as text of others until its owner says
 * otherwise: more than a line. An address, a URL, an id or a file name is one line, however long.
 */
export function isMoreThanALine(text: string): boolean {
  const line = text.trim();
  if (/[\n\r\u2028\u2029]/u.test(line)) return true;
  return line.length > maxLineCharacters && /\s/u.test(line);
}

const maxStartCharacters = 60;

export interface TextInBrief {
  readonly lines: number;
  /** The first words, on one line. */
  readonly start: string;
}

/** What a list needs to say about a long text. */
export function describeText(text: string): TextInBrief {
  const trimmed = text.trim();
  const words = trimmed.slice(0, 4 * maxStartCharacters).replaceAll(/\s+/gu, " ");
  const start =
    words.length <= maxStartCharacters
      ? words
      : `${words.slice(0, maxStartCharacters - 1).toWellFormed()}…`;
  return { lines: trimmed.split(/\r\n|[\n\r\u2028\u2029]/u).length, start };
}
