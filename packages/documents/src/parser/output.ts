import type { DocumentKind } from "../parsed-document.ts";
import type { Frame } from "../frame.ts";

/** Where readers put what they find. Whatever answers false has no room left: the reader stops. */
export interface Output {
  kind(kind: DocumentKind, pageCount?: number): void;
  progress(done: number, total?: number): void;
  warn(message: string): void;
  cut(why: string): void;
  page(number: number, text: string): boolean;
  text(text: string): boolean;
  row(table: string, cells: readonly string[]): boolean;
}

const pieceCharacters = 60_000;

/** Cuts at `maxCharacters` and says so once; long texts and many rows leave in pieces that fit a frame. */
export function createOutput(maxCharacters: number, send: (frame: Frame) => void): Output & { flush(): void } {
  let left = maxCharacters;
  let isCut = false;
  let rows: string[][] = [];
  let rowsTable = "";
  let rowsSize = 0;

  const flush = () => {
    if (rows.length > 0) send({ type: "rows", table: rowsTable, rows });
    rows = [];
    rowsSize = 0;
  };
  const cut = (why: string) => {
    if (isCut) return;
    isCut = true;
    flush();
    send({ type: "cut" });
    send({ type: "warning", message: why });
  };
  const take = (text: string): string => {
    const taken = text.slice(0, left);
    left -= taken.length;
    if (taken.length < text.length) cut(`It is cut: only the first ${maxCharacters.toLocaleString("en")} characters were kept.`);
    return taken;
  };

  return {
    flush,
    cut,
    kind: (kind, pageCount) => send({ type: "kind", kind, ...(pageCount === undefined ? {} : { pageCount }) }),
    progress: (done, total) => send({ type: "progress", done, ...(total === undefined ? {} : { total }) }),
    warn: (message) => send({ type: "warning", message: message.slice(0, 2_000) }),
    page(number, text) {
      for (const piece of pieces(take(text))) send({ type: "page", number, text: piece });
      return !isCut;
    },
    text(text) {
      for (const piece of pieces(take(text))) send({ type: "text", text: piece });
      return !isCut;
    },
    row(table, cells) {
      const size = cells.reduce((sum, cell) => sum + cell.length + 1, 1);
      if (isCut || size > left) {
        cut(`It is cut: only the rows within the first ${maxCharacters.toLocaleString("en")} characters were kept.`);
        return false;
      }
      if (table !== rowsTable) flush();
      rowsTable = table;
      rows.push([...cells]);
      left -= size;
      rowsSize += size;
      if (rowsSize >= pieceCharacters) flush();
      return true;
    },
  };
}

function pieces(text: string): string[] {
  const all = [];
  for (let at = 0; at < text.length; at += pieceCharacters) all.push(text.slice(at, at + pieceCharacters));
  return all.length > 0 ? all : [""];
}
