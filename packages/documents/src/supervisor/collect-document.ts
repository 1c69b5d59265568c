import type { Frame } from "../frame.ts";
import type { DocumentKind, ParsedDocument } from "../parsed-document.ts";

const maxWarnings = 20;

export interface DocumentCollector {
  /** False when it is more than was agreed on: the parser does not keep to its order. */
  take(frame: Frame): boolean;
  /** What there is so far; undefined before the kind is known. */
  document(): ParsedDocument | undefined;
}

/** Puts a document together from the frames that tell of it, and keeps count on its own: empty pages and rows take room too. */
export function createCollector(maxCharacters: number): DocumentCollector {
  let kind: DocumentKind | undefined;
  let pageCount: number | undefined;
  let truncated = false;
  let characters = 0;
  const pages = new Map<number, string>();
  const tables = new Map<string, string[][]>();
  const texts: string[] = [];
  const warnings: string[] = [];

  const most = 2 * maxCharacters + 100_000;
  const fits = (size: number) => {
    characters += size;
    return characters <= most;
  };

  return {
    take(frame) {
      if (frame.type === "kind") [kind, pageCount] = [frame.kind, frame.pageCount];
      if (frame.type === "cut") truncated = true;
      if (frame.type === "warning" && warnings.length < maxWarnings) warnings.push(frame.message);
      if (frame.type === "text") texts.push(frame.text);
      if (frame.type === "page") pages.set(frame.number, (pages.get(frame.number) ?? "") + frame.text);
      if (frame.type === "rows") rowsOf(tables, frame.table).push(...frame.rows);
      return fits(sizeOf(frame));
    },
    document() {
      if (kind === undefined) return undefined;
      const parts = {
        pages: [...pages].map(([number, text]) => ({ number, text })),
        tables: [...tables].map(([name, rows]) => ({ name, rows })),
      };
      const text = kind === "text" ? texts.join("") : kind === "pdf" ? [...pages.values()].join("\n\n") : parts.tables.map(writeTable).join("\n\n");
      return { kind, ...parts, text, truncated, warnings, ...(pageCount === undefined ? {} : { pageCount }) };
    },
  };
}

function rowsOf(tables: Map<string, string[][]>, name: string): string[][] {
  const rows = tables.get(name) ?? [];
  tables.set(name, rows);
  return rows;
}

function sizeOf(frame: Frame): number {
  if (frame.type === "text" || frame.type === "page") return frame.text.length + 1;
  if (frame.type === "rows") return frame.rows.reduce((sum, row) => sum + row.reduce((cells, cell) => cells + cell.length + 1, 1), frame.table.length + 1);
  return 0;
}

function writeTable({ rows }: { readonly rows: readonly (readonly string[])[] }): string {
  return rows.map((row) => row.join("\t")).join("\n");
}
