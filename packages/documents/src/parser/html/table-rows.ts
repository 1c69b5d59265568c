import { attribute, type HtmlElement } from "./parse-html.ts";

/** A cell may claim to span a thousand columns, and every cell of a page may. */
const maxColumns = 200;
const maxRowSpan = 1_000;

/** Puts the cells of a table into rows, so that each stands in its column; what a wide or tall cell covers stays empty. */
export function createTableRows() {
  /** By column: how many rows below are still covered from above. */
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
    /** The row that ends here; undefined if nothing is in it. */
    endRow(): string[] | undefined {
      if (row.length > 0) skipCovered();
      const ended = row;
      row = [];
      return ended.some((cell) => cell !== "") ? ended : undefined;
    },
  };
}

export type TableRows = ReturnType<typeof createTableRows>;

function spanOf(element: HtmlElement, name: string, most: number): number {
  const written = Number.parseInt(attribute(element, name) ?? "1", 10);
  return Number.isNaN(written) ? 1 : Math.min(most, Math.max(1, written));
}
