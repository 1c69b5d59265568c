import { mistypedWords, otherWords, shorthands } from "../recipes/word-lists.ts";

const meant: Readonly<Record<string, string>> = Object.fromEntries(
  shorthands.split(" ").map((pair) => pair.split(":")),
);

const known = mistypedWords.split(" ");
const notMeant = new Set(otherWords.split(" "));

/** Words on their own in small letters, or at a start: never names, addresses, channels, links. */
const word =
  /(?<![\w@#./:'’\uE200-])(?:(?<=(?:^|[.?!]\s)\s*)\p{L}|\p{Ll})\p{Ll}+(?![\w@'’\uE201-]|[./:]\w)/gu;

interface Corrected {
  /** The text with the words that are meant. */
  readonly text: string;
  /** A piece of it as it was typed. */
  typed(piece: string): string;
}

/** Corrects typos for matching. What the recipes take from the text is given back as it was typed. */
export function correctTypos(original: string): Corrected {
  const edits: { at: number; now: string; was: string }[] = [];
  let shift = 0;
  const text = original.replace(word, (was, offset: number) => {
    const now = correct(was);
    if (now !== was) edits.push({ at: offset + shift, now, was });
    shift += now.length - was.length;
    return now;
  });
  return { text, typed: (piece) => (edits.length === 0 ? piece : typedPiece(text, piece, edits)) };
}

function typedPiece(
  text: string,
  piece: string,
  edits: readonly { at: number; now: string; was: string }[],
): string {
  const found = text.toLowerCase().indexOf(piece.toLowerCase());
  if (found < 0) return piece;
  return edits
    .filter(({ at, now }) => at >= found && at + now.length <= found + piece.length)
    .reduceRight(
      (typed, { at, now, was }) =>
        typed.slice(0, at - found) + was + typed.slice(at - found + now.length),
      piece,
    );
}

function correct(typed: string): string {
  const small = typed.toLowerCase();
  const shorthand = Object.hasOwn(meant, small) ? meant[small] : undefined;
  if (shorthand !== undefined) return shorthand;
  if (typed.length < 4 || notMeant.has(small) || known.includes(small)) return typed;
  const near = known.filter((one) => one[0] === small[0] && isOneEdit(small, one));
  return near.length === 1 && !isForm(small, near[0] ?? "") ? (near[0] ?? typed) : typed;
}

/** Another form of a word is no typo: "scheduled". */
function isForm(typed: string, one: string): boolean {
  return typed.startsWith(one) || one.startsWith(typed);
}

/** One letter was replaced, left out, added, or swapped with its neighbor. */
function isOneEdit(typed: string, one: string): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === one[at]) at += 1;
  const [a, b] = [typed.slice(at), one.slice(at)];
  const swapped = `${a[1] ?? ""}${a[0] ?? ""}${a.slice(2)}`;
  return (
    a.slice(1) === b.slice(1) || a.slice(1) === b || a === b.slice(1) || (a !== b && swapped === b)
  );
}
