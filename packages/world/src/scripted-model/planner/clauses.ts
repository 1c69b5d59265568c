interface Separator {
  readonly start: number;
  readonly end: number;
  /** Separates sentences or says "then"; a comma or an "and" may also stand inside one clause. */
  readonly isStrong: boolean;
}

const separators = /(?<strong>\s*;\s*|\s*\n\s*|[.?!]+\s+|,?\s+(?:and )?(?:then|after that|afterwards|finally|next)\b,?\s+)|,?\s+(?:and|but)\s+(?:also\s+)?|,\s+(?:also\s+)?/gi;
const command = /^(?:please )?(?:tell|what|which|calculate|compute|list|show|read|write|save|store|post|make|create|put|work out)\b/i;

/** What the cutting needs to know of a clause. */
export interface ClauseReader {
  isUnderstood(clause: string): boolean;
  /** It ends in words of the user's own, which may go on behind a separator. */
  endsInText(clause: string): boolean;
}

/** Cuts where what follows is something to do; so "milk, eggs and bread" stays whole, and ", then read it" does not. */
export function splitClauses(task: string, reader: ClauseReader): readonly string[] {
  const text = task.replace(/^\s*(?:\d+[.)]|[-*•])\s+/gm, "").trim();
  const found = Array.from(text.matchAll(separators), (match): Separator => ({ start: match.index, end: match.index + match[0].length, isStrong: match.groups?.["strong"] !== undefined }));
  const clauses: string[] = [];
  let start = 0;
  for (const [index, separator] of found.entries()) {
    const head = text.slice(start, separator.start);
    if (head.trim() === "") {
      start = separator.end;
      continue;
    }
    const ends = [...found.slice(index + 1).map((later) => later.start), text.length];
    const follows = ends.some((end) => reader.isUnderstood(text.slice(separator.end, end)));
    const cut = separator.isStrong
      ? follows || !reader.endsInText(head)
      : follows && (reader.isUnderstood(head) || command.test(text.slice(separator.end)));
    if (!cut) continue;
    clauses.push(head);
    start = separator.end;
  }
  return [...clauses, text.slice(start)].map((clause) => clause.trim()).filter((clause) => clause !== "");
}
