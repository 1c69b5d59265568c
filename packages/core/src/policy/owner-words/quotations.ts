/** Quote marks that open and close a quotation. Apostrophes do not count. */
const closings: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["“", "”"],
  ["”", "”"],
  ["‟", "”"],
  ["„", "“”"],
  ["«", "»"],
  ["»", "«"],
  ["‚", "‘’"],
  ["‹", "›"],
  ["'", "'"],
  ["‘", "’‘"],
  ["`", "`"],
  ["「", "」"],
  ["『", "』"],
]);
/** Single marks are also apostrophes, so that they end with their line. */
const singleMarks = "'‘‚‹`";
const maxNameWords = 3;

/** A span between quote marks, with the marks. */
export interface Quotation {
  readonly start: number;
  readonly end: number;
  readonly inner: string;
}

/** Finds quotations. They do not overlap. */
export function quotationsIn(text: string): Quotation[] {
  const next = nextClosing(text);
  const found: Quotation[] = [];
  let from = 0;
  for (const { index, 0: mark } of text.matchAll(/["“”‟„«»‚‹'‘`「『]/gu)) {
    if (index < from || !opensQuotation(text, index, mark)) continue;
    const end = next(closings.get(mark) ?? mark, index + 1);
    if (end === -1 || (!mayBreak(text, index, mark) && text.slice(index, end).includes("\n")))
      continue;
    found.push({ start: index, end: end + 1, inner: text.slice(index + 1, end) });
    from = end + 1;
  }
  return found;
}

/**
 * Leaves out quotations that are more than one thing. "Send 'Invoice 4711 (a@b.example)' to Eva"
 * mentions a subject line, not the person in it. A single address, link, file or name stays.
 */
export function withoutQuotations(text: string): string {
  let result = "";
  let from = 0;
  for (const { start, end, inner } of quotationsIn(text)) {
    result += `${text.slice(from, start)} ${isOneThing(inner) ? inner : ""} `;
    from = end;
  }
  return result + text.slice(from);
}

function opensQuotation(text: string, index: number, mark: string): boolean {
  const isOtherwiseUsed = /['‘`”]/.test(mark);
  return !isOtherwiseUsed || !/[\p{L}\p{N}]/u.test(text.charAt(index - 1));
}

/** Whether a quotation can have several lines. After a letter or number, the mark is one of length. */
function mayBreak(text: string, index: number, mark: string): boolean {
  return !singleMarks.includes(mark) && !/[\p{L}\p{N}]/u.test(text.charAt(index - 1));
}

function isOneThing(quoted: string): boolean {
  const words = quoted.trim().split(/\s+/);
  return words.length === 1 || (words.length <= maxNameWords && !/[@./\\:]/.test(quoted));
}

/** Finds closing marks. Remembers the last answer for each mark, so that the text is read once. */
function nextClosing(text: string): (marks: string, from: number) => number {
  const known = new Map<string, number>();
  const find = (mark: string, from: number): number => {
    const before = known.get(mark);
    if (before === -1 || (before !== undefined && before >= from)) return before;
    let at = text.indexOf(mark, from);
    // A mark inside of a word is an apostrophe.
    while (at !== -1 && /['’‘`]/.test(mark) && /[\p{L}\p{N}]/u.test(text.charAt(at + 1)))
      at = text.indexOf(mark, at + 1);
    known.set(mark, at);
    return at;
  };
  return (marks, from) => {
    const found = Array.from(marks, (mark) => find(mark, from)).filter((at) => at !== -1);
    return found.length === 0 ? -1 : Math.min(...found);
  };
}
