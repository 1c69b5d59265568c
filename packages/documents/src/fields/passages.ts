import type { ParsedDocument } from "../parsed-document.ts";
import { splitLine } from "./split-line.ts";

/** A section of a document that is searched at once. */
export interface Passage {
  readonly text: string;
  /** Its lines or rows, to report the place of a match. */
  readonly parts: readonly Part[];
  /**
   * Place of a match that spans several parts. Undefined if a match must be within one part, as in
   * a table.
   */
  readonly place?: string;
}

interface Part {
  readonly place: string;
  readonly text: string;
}

const passageCharacters = 20_000;
/** Overlap between passages of running text, so that no value is cut in two. */
const overlapCharacters = 4_000;

/**
 * Passages of a document and of its attachments. The place of a match in an attachment starts with
 * its name.
 */
export function* passagesOf(
  { kind, pages, tables, text, attachments = [] }: ParsedDocument,
  within = "",
): Generator<Passage> {
  for (const { number, text: page } of pages)
    yield* runningText(page, () => `${within}page ${number}`);
  for (const { name, rows } of tables)
    yield* rowsOf(rows, `${within}${name === "" ? "row" : `${name}, row`}`);
  // For the other kinds, the pages or tables contain everything.
  if (kind !== "pdf" && kind !== "csv" && kind !== "xlsx")
    yield* runningText(text, (line) => `${within}line ${line}`);
  for (const { name, document } of attachments) {
    if (document) yield* passagesOf(document, `${within}attachment ${name}, `);
  }
}

function* runningText(text: string, placeOf: (line: number) => string): Generator<Passage> {
  const overlapOf = (parts: readonly Part[]) => {
    let from = parts.length;
    for (
      let size = 0;
      from > 1 && size < overlapCharacters;
      size += sizeOf(parts.slice(from, from + 1))
    )
      from -= 1;
    return parts.slice(from);
  };
  for (const group of inBatches(partsOf(linesOf(text), placeOf), overlapOf)) {
    const place = group[0]?.place ?? placeOf(1);
    yield { text: joined(group), parts: group.at(-1)?.place === place ? [] : group, place };
  }
}

function* rowsOf(rows: readonly (readonly string[])[], label: string): Generator<Passage> {
  const lines = function* () {
    for (const row of rows) yield row.join("\t");
  };
  for (const group of inBatches(
    partsOf(lines(), (row) => `${label} ${row}`),
    () => [],
  ))
    yield { text: joined(group), parts: group };
}

/**
 * Groups parts up to the size of a passage. Each group starts with the overlap from the previous
 * one.
 */
function* inBatches(
  parts: Iterable<Part>,
  overlapOf: (parts: readonly Part[]) => Part[],
): Generator<Part[]> {
  let group: Part[] = [];
  let size = 0;
  for (const part of parts) {
    if (size >= passageCharacters && group.length > 0) {
      yield group;
      group = overlapOf(group);
      size = sizeOf(group);
    }
    group.push(part);
    size += sizeOf([part]);
  }
  if (group.length > 0) yield group;
}

/** A generator, because a document may have a million lines. */
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

/** Size including the line break after each part. */
function sizeOf(parts: readonly Part[]): number {
  return parts.reduce((size, { text }) => size + text.length + 1, 0);
}
