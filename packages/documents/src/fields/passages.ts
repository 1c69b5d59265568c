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
export function* passagesOf({ kind, pages, tables, text, attachments = [] }: ParsedDocument, within = ""): Generator<Passage> {
  for (const { number, text: page } of pages) yield* running(page, () => `${within}page ${number}`);
  for (const { name, rows } of tables) yield* rowsOf(rows, `${within}${name === "" ? "row" : `${name}, row`}`);
  // Else the pages or tables are all there is.
  if (kind !== "pdf" && kind !== "csv" && kind !== "xlsx") yield* running(text, (line) => `${within}line ${line}`);
  for (const { name, document } of attachments) {
    if (document) yield* passagesOf(document, `${within}attachment ${name}, `);
  }
}

function* running(text: string, placeOf: (line: number) => string): Generator<Passage> {
  const parts = partsOf(text.split(/\r\n?|\n/), placeOf);
  for (let from = 0; from < parts.length; ) {
    const to = endOf(parts, from);
    const own = parts.slice(from, to);
    const place = own[0]?.place ?? placeOf(1);
    yield { text: joined(own), parts: own.at(-1)?.place === place ? [] : own, place };
    if (to >= parts.length) return;
    let back = to;
    for (let size = 0; back > from + 1 && size < overlapCharacters; size += parts[back]?.text.length ?? 0) back -= 1;
    from = back;
  }
}

function* rowsOf(rows: readonly (readonly string[])[], label: string): Generator<Passage> {
  const parts = partsOf(rows.map((row) => row.join("\t")), (row) => `${label} ${row}`);
  for (let from = 0, to = 0; from < parts.length; from = to) {
    to = endOf(parts, from);
    const own = parts.slice(from, to);
    yield { text: joined(own), parts: own };
  }
}

function partsOf(lines: readonly string[], placeOf: (line: number) => string): Part[] {
  return lines.flatMap((line, index) => splitLine(line).map((text) => ({ place: placeOf(index + 1), text })));
}

function joined(parts: readonly Part[]): string {
  return parts.map(({ text }) => text).join("\n");
}

function endOf(parts: readonly Part[], from: number): number {
  let to = from;
  for (let size = 0; to < parts.length && (size < passageCharacters || to === from); to++) size += (parts[to]?.text.length ?? 0) + 1;
  return to;
}
