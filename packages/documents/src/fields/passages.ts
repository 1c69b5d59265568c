import type { ParsedDocument } from "../parsed-document.ts";

/** A stretch of a document that is searched at once. */
export interface Passage {
  readonly text: string;
  /** Its lines or rows, to say in which one something stands. */
  readonly parts: readonly { readonly place: string; readonly text: string }[];
  /** Where something stands that no single part holds; undefined if it must be within one, as in a table. */
  readonly place?: string;
}

const passageCharacters = 50_000;
/** What passages of running text share, so that no value is cut in two. */
const overlapCharacters = 4_000;

/** Cut at line ends only: inside a line, a piece of a number would look like a whole one. */
export function* passagesOf({ kind, pages, tables, text }: ParsedDocument): Generator<Passage> {
  for (const { number, text: page } of pages) yield* running(page, { place: `page ${number}`, areLinesPlaces: false });
  for (const { name, rows } of tables) yield* rowsOf(rows.map((row) => row.join("\t")), name === "" ? "row" : `${name}, row`);
  if (kind === "text") yield* running(text, { place: "line 1", areLinesPlaces: true });
}

function* running(text: string, { place, areLinesPlaces }: { readonly place: string; readonly areLinesPlaces: boolean }): Generator<Passage> {
  const parts = text.split(/\r\n?|\n/).map((line, index) => ({ place: areLinesPlaces ? `line ${index + 1}` : place, text: line }));
  for (let from = 0; from < parts.length; ) {
    const to = endOf(parts, from, passageCharacters);
    const slice = parts.slice(from, to);
    yield { text: slice.map((part) => part.text).join("\n"), parts: areLinesPlaces ? slice : [], place: slice[0]?.place ?? place };
    if (to >= parts.length) return;
    let back = to;
    for (let size = 0; back > from + 1 && size < overlapCharacters; size += parts[back]?.text.length ?? 0) back -= 1;
    from = back;
  }
}

function* rowsOf(rows: readonly string[], label: string): Generator<Passage> {
  const parts = rows.map((text, index) => ({ place: `${label} ${index + 1}`, text }));
  for (let from = 0, to = 0; from < parts.length; from = to) {
    to = endOf(parts, from, passageCharacters);
    const slice = parts.slice(from, to);
    yield { text: slice.map((part) => part.text).join("\n"), parts: slice };
  }
}

function endOf(parts: readonly { readonly text: string }[], from: number, characters: number): number {
  let to = from;
  for (let size = 0; to < parts.length && (size < characters || to === from); to++) size += (parts[to]?.text.length ?? 0) + 1;
  return to;
}
