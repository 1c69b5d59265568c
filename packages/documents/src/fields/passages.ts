import type { ParsedDocument } from "../parsed-document.ts";
import { splitLine } from "./split-line.ts";

/** A stretch of a document that is searched at once. */
export interface Passage {
  readonly text: string;
  /** Its lines or rows, to say in which one something stands. */
  readonly parts: readonly Part[];
  /** Where something stands that no single part holds; undefined if it must be within one, as in a table. */
  readonly place?: string;
}

interface Part {
  readonly place: string;
  readonly text: string;
}

const passageCharacters = 20_000;
/** What passages of running text share, so that no value is cut in two. */
const overlapCharacters = 4_000;

/** Of a document and of all that it carries, in which case the place begins with the attachment's name. */
export function* passagesOf(
  { kind, pages, tables, text, attachments = [] }: ParsedDocument,
  within = "",
): Generator<Passage> {
  for (const { number, text: page } of pages) yield* running(page, () => `${within}page ${number}`);
  for (const { name, rows } of tables)
    yield* rowsOf(rows, `${within}${name === "" ? "row" : `${name}, row`}`);
  // Else the pages or tables are all there is.
  if (kind !== "pdf" && kind !== "csv" && kind !== "xlsx")
    yield* running(text, (line) => `${within}line ${line}`);
  for (const { name, document } of attachments) {
    if (document) yield* passagesOf(document, `${within}attachment ${name}, `);
  }
}

function* running(text: string, placeOf: (line: number) => string): Generator<Passage> {
  const lastOf = (parts: readonly Part[]) => {
    let from = parts.length;
    for (
      let size = 0;
      from > 1 && size < overlapCharacters;
      size += sizeOf(parts.slice(from, from + 1))
    )
      from -= 1;
    return parts.slice(from);
  };
  for (const own of inStretches(partsOf(linesOf(text), placeOf), lastOf)) {
    const place = own[0]?.place ?? placeOf(1);
    yield { text: joined(own), parts: own.at(-1)?.place === place ? [] : own, place };
  }
}

function* rowsOf(rows: readonly (readonly string[])[], label: string): Generator<Passage> {
  const lines = function* () {
    for (const row of rows) yield row.join("\t");
  };
  for (const own of inStretches(
    partsOf(lines(), (row) => `${label} ${row}`),
    () => [],
  ))
    yield { text: joined(own), parts: own };
}

/** As many parts as a passage has room for, each time beginning with what is kept of the ones before. */
function* inStretches(
  parts: Iterable<Part>,
  keptOf: (parts: readonly Part[]) => Part[],
): Generator<Part[]> {
  let own: Part[] = [];
  let size = 0;
  for (const part of parts) {
    if (size >= passageCharacters && own.length > 0) {
      yield own;
      own = keptOf(own);
      size = sizeOf(own);
    }
    own.push(part);
    size += sizeOf([part]);
  }
  if (own.length > 0) yield own;
}

/** One at a time, since a document may have a million. */
function* linesOf(text: string): Generator<string> {
  let from = 0;
  for (const { index, 0: end } of text.matchAll(/\r\n?|\n/g)) {
    yield text.slice(from, index);
    from = index + end.length;
  }
  yield text.slice(from);
}

function* partsOf(lines: Iterable<string>, placeOf: (line: number) => string): Generator<Part> {
  let number = 0;
  for (const line of lines) {
    const place = placeOf(++number);
    for (const text of splitLine(line)) yield { place, text };
  }
}

function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join("\n");
}

/** With the line break after each. */
function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((size, { text }) => size + text.length + 1, 0);
}
