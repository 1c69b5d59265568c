interface Piece {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Above this many comparisons, the text is shown as replaced. */
const maxCells = 1_000_000;

/**
 * A diff by words, each with the spaces after it. The pieces contain all of `before` and of
 * `after`.
 */
export function diffWords(before: string, after: string): readonly Piece[] {
  const [oldWords, newWords] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < oldWords.length && start < newWords.length && oldWords[start] === newWords[start])
    start += 1;
  let end = 0;
  while (
    end < oldWords.length - start &&
    end < newWords.length - start &&
    oldWords[oldWords.length - 1 - end] === newWords[newWords.length - 1 - end]
  )
    end += 1;
  const [removed, added] = [
    oldWords.slice(start, oldWords.length - end),
    newWords.slice(start, newWords.length - end),
  ];
  const middle =
    removed.length * added.length > maxCells
      ? [piece("gone", removed.join("")), piece("new", added.join(""))]
      : compare(removed, added);
  return join([
    piece("same", oldWords.slice(0, start).join("")),
    ...middle,
    piece("same", oldWords.slice(oldWords.length - end).join("")),
  ]);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

function piece(kind: Piece["kind"], text: string): Piece {
  return { kind, text };
}

/** Compares by the longest common subsequence. */
function compare(oldWords: readonly string[], newWords: readonly string[]): readonly Piece[] {
  const width = newWords.length + 1;
  const lengths = new Uint32Array((oldWords.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = oldWords.length - 1; i >= 0; i -= 1) {
    for (let j = newWords.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        oldWords[i] === newWords[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < oldWords.length || j < newWords.length) {
    if (i < oldWords.length && oldWords[i] === newWords[j]) {
      pieces.push(piece("same", oldWords[i] ?? ""));
      i += 1;
      j += 1;
    } else if (j >= newWords.length || (i < oldWords.length && at(i + 1, j) >= at(i, j + 1)))
      pieces.push(piece("gone", oldWords[i++] ?? ""));
    else pieces.push(piece("new", newWords[j++] ?? ""));
  }
  return pieces;
}

function join(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const next of pieces) {
    const last = joined.at(-1);
    if (next.text === "") continue;
    if (last?.kind === next.kind)
      joined[joined.length - 1] = piece(next.kind, last.text + next.text);
    else joined.push(next);
  }
  return joined;
}
