import type { DocumentView } from "./document-view.ts";
import { foldText } from "./fold-text.ts";

/** A piece of a line that is separated from the next piece. */
export interface Cell {
  readonly start: number;
  readonly end: number;
}

export interface Line {
  readonly text: string;
  readonly folded: string;
  readonly cells: readonly Cell[];
}

const gap = /\t\s*|\s{2,}|\s+[|¦]\s+/g;

/** Limits of the scan, so a large document cannot block the server. */
const maxLines = 4_000;
const maxLineLength = 1_000;

/** Returns the non-empty lines. Table rows count as lines unless the text already contains them. */
export function readLines({ text, tables }: DocumentView): readonly Line[] {
  const written = text.split(/\r\n|[\n\r\f\v\u2028\u2029]/);
  const rows = tables.flatMap(({ rows: all }) =>
    all.map((row) => row.map((cell) => cell.replace(/\s+/g, " ").trim()).join("\t")),
  );
  const known = new Set(written.map((line) => line.trim()));
  return [...written, ...rows.filter((row) => !known.has(row.trim()))]
    .slice(0, maxLines)
    .map((line) => line.slice(0, maxLineLength).normalize("NFC").trim())
    .filter((line) => /[\p{L}\d]/u.test(line))
    .map((line) => ({ text: line, folded: foldText(line), cells: cutCells(line) }));
}

function cutCells(line: string): readonly Cell[] {
  const cells: Cell[] = [];
  let start = 0;
  for (const { index, 0: matched } of line.matchAll(gap)) {
    cells.push({ start, end: index });
    start = index + matched.length;
  }
  return [...cells, { start, end: line.length }].filter((cell) => cell.end > cell.start);
}

/** The cell of the line that contains a position. */
export function cellAt({ cells }: Line, place: number): number {
  return Math.max(
    0,
    cells.findLastIndex(({ start }) => start <= place),
  );
}
