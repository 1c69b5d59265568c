import { attribute, type HtmlElement } from "./parse-html.ts";

/** Any cell of a page may claim to span a thousand columns. */
const maxColumns = 200;
const maxRowSpan = 1_000;

/**
 * Arranges cells in rows, each in its column. Positions that a wide or tall cell covers stay empty.
 */
export function createTableRows() {
  /** Number of rows below that are still covered from above, by column. */
  const covered = new Map<number, number>();
  let row: string[] = [];

  const skipCovered = () => {
    for (let left = covered.get(row.length) ?? 0; left > 0; left = covered.get(row.length) ?? 0) {
      covered.set(row.length, left - 1);
      row.push("");
    }
  };
  return {
    cell(element: HtmlElement, text: string): void {
      skipCovered();
      const room = maxColumns - row.length;
      const rowSpan = room > 0 ? spanOf(element, "rowspan", maxRowSpan) : 1;
      const columnSpan = Math.min(spanOf(element, "colspan", maxColumns), Math.max(1, room));
      for (let index = 0; index < columnSpan; index++) {
        if (rowSpan > 1) covered.set(row.length, rowSpan - 1);
        row.push(index === 0 ? text : "");
      }
    },
    /** The finished row, or undefined if it is empty. */
    endRow(): string[] | undefined {
      if (row.length > 0) skipCovered();
      const ended = row;
      row = [];
      return ended.some((cell) => cell !== "") ? ended : undefined;
    },
  };
}

export type TableRows = ReturnType<typeof createTableRows>;

function spanOf(element: HtmlElement, name: string, max: number): number {
  const written = Number.parseInt(attribute(element, name) ?? "1", 10);
  return Number.isNaN(written) ? 1 : Math.min(max, Math.max(1, written));
}
