const pieceCharacters = 10_000;
/** Longer than any value that is looked for. */
const overlapCharacters = 2_100;
/** A letter that nobody writes: next to it, a piece of a word or number does not look like a whole one. */
const torn = "\ua66e";

/** A line in pieces that are quick to search: cut at spaces, or where there are none, overlapping and with the tear marked. */
export function splitLine(line: string): string[] {
  const pieces = [];
  let from = 0;
  let isTorn = false;
  while (line.length - from > pieceCharacters) {
    const window = line.slice(from, from + pieceCharacters);
    const space = window.search(/\s\S*$/);
    const hasSpace = space > pieceCharacters / 2;
    pieces.push(`${isTorn ? torn : ""}${hasSpace ? window.slice(0, space) : window + torn}`);
    from += hasSpace ? space + 1 : pieceCharacters - overlapCharacters;
    isTorn = !hasSpace;
  }
  return [...pieces, `${isTorn ? torn : ""}${line.slice(from)}`];
}
