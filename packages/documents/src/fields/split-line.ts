const pieceCharacters = 10_000;
/** Longer than any value that is searched for. */
const overlapCharacters = 2_100;
/**
 * A letter that does not occur in practice. Beside it, a fragment of a word or number does not look
 * complete.
 */
const cutMarker = "\ua66e";

/**
 * Splits a line into pieces that are fast to search. Cuts at spaces. Without spaces the pieces
 * overlap, and the cut is marked.
 */
export function splitLine(line: string): string[] {
  const pieces = [];
  let from = 0;
  let isCutHere = false;
  while (line.length - from > pieceCharacters) {
    const window = line.slice(from, from + pieceCharacters);
    const space = window.search(/\s\S*$/);
    const hasSpace = space > pieceCharacters / 2;
    pieces.push(
      `${isCutHere ? cutMarker : ""}${hasSpace ? window.slice(0, space) : window + cutMarker}`,
    );
    from += hasSpace ? space + 1 : pieceCharacters - overlapCharacters;
    isCutHere = !hasSpace;
  }
  return [...pieces, `${isCutHere ? cutMarker : ""}${line.slice(from)}`];
}
