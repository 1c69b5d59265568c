export interface Piece {
  readonly kind: "same" | "gone" | "new";
  readonly text: string;
}

/** Above so many comparisons the whole is shown as replaced. */
const maxCells = 1_000_000;

/** Word by word, the words with the spaces after them: all of `before` and all of `after` is in it. */
export function diffWords(before: string, after: string): readonly Piece[] {
  const [one, other] = [wordsOf(before), wordsOf(after)];
  let start = 0;
  while (start < one.length && start < other.length && one[start] === other[start]) start += 1;
  let end = 0;
  while (
    end < one.length - start &&
    end < other.length - start &&
    one[one.length - 1 - end] === other[other.length - 1 - end]
  )
    end += 1;
  const [gone, came] = [one.slice(start, one.length - end), other.slice(start, other.length - end)];
  const middle =
    gone.length * came.length > maxCells
      ? [piece("gone", gone.join("")), piece("new", came.join(""))]
      : compare(gone, came);
  return join([
    piece("same", one.slice(0, start).join("")),
    ...middle,
    piece("same", one.slice(one.length - end).join("")),
  ]);
}

function wordsOf(text: string): readonly string[] {
  return text.match(/\S+\s*|\s+/g) ?? [];
}

function piece(kind: Piece["kind"], text: string): Piece {
  return { kind, text };
}

/** By the longest common subsequence. */
function compare(one: readonly string[], other: readonly string[]): readonly Piece[] {
  const width = other.length + 1;
  const lengths = new Uint32Array((one.length + 1) * width);
  const at = (i: number, j: number) => lengths[i * width + j] ?? 0;
  for (let i = one.length - 1; i >= 0; i -= 1) {
    for (let j = other.length - 1; j >= 0; j -= 1)
      lengths[i * width + j] =
        one[i] === other[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  }
  const pieces: Piece[] = [];
  let [i, j] = [0, 0];
  while (i < one.length || j < other.length) {
    if (i < one.length && one[i] === other[j]) {
      pieces.push(piece("same", one[i] ?? ""));
      i += 1;
      j += 1;
    } else if (j >= other.length || (i < one.length && at(i + 1, j) >= at(i, j + 1)))
      pieces.push(piece("gone", one[i++] ?? ""));
    else pieces.push(piece("new", other[j++] ?? ""));
  }
  return pieces;
}

function join(pieces: readonly Piece[]): readonly Piece[] {
  const joined: Piece[] = [];
  for (const one of pieces) {
    const last = joined.at(-1);
    if (one.text === "") continue;
    if (last?.kind === one.kind) joined[joined.length - 1] = piece(one.kind, last.text + one.text);
    else joined.push(one);
  }
  return joined;
}
