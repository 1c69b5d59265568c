import type { DocumentKind } from "../parsed-document.ts";
import type { Frame } from "../frame.ts";

/** A file inside of a file. */
export interface OpenedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly byteCount: number;
}

/** Where readers put what they find. Whatever answers false has no room left: the reader stops. */
export interface Output {
  kind(kind: DocumentKind, pageCount?: number): void;
  progress(done: number, total?: number): void;
  warn(message: string): void;
  cut(why: string): void;
  page(number: number, text: string): boolean;
  text(text: string): boolean;
  row(table: string, cells: readonly string[]): boolean;
  /** What follows is about this attachment, until `close`. */
  open(file: OpenedFile): void;
  close(problem?: string): void;
  hasRoom(): boolean;
}

/** What the thread that owns the output does with it in the end. */
export interface OwnedOutput extends Output {
  flush(): void;
  /** The beginning of all that was found, for telling its language. */
  sample(): string;
}

const pieceCharacters = 60_000;
const sampleCharacters = 6_000;
/** Of a name or a media type. */
const labelCharacters = 200;

/** Cuts at `maxCharacters` and says so once; long texts and many rows leave in pieces that fit a frame. */
export function createOutput(maxCharacters: number, send: (frame: Frame) => void): OwnedOutput {
  let left = maxCharacters;
  let isCut = false;
  let rows: string[][] = [];
  let rowsTable = "";
  let rowsSize = 0;
  let sample = "";

  const remember = (text: string) => {
    if (sample.length < sampleCharacters)
      sample += `${text.slice(0, sampleCharacters - sample.length)}\n`;
  };
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
    remember(taken);
    if (taken.length < text.length)
      cut(`It is cut: only the first ${maxCharacters.toLocaleString("en")} characters were kept.`);
    return taken;
  };

  return {
    flush,
    cut,
    kind: (kind, pageCount) =>
      send({ type: "kind", kind, ...(pageCount === undefined ? {} : { pageCount }) }),
    progress: (done, total) =>
      send({ type: "progress", done, ...(total === undefined ? {} : { total }) }),
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
        cut(
          `It is cut: only the rows within the first ${maxCharacters.toLocaleString("en")} characters were kept.`,
        );
        return false;
      }
      remember(cells.join(" "));
      if (table !== rowsTable) flush();
      rowsTable = table;
      rows.push([...cells]);
      left -= size;
      rowsSize += size;
      if (rowsSize >= pieceCharacters) flush();
      return true;
    },
    open({ name, mediaType, byteCount }) {
      flush();
      send({
        type: "open",
        name: name.slice(0, labelCharacters),
        mediaType: mediaType.slice(0, labelCharacters),
        byteCount,
      });
    },
    close(problem) {
      flush();
      send({
        type: "close",
        ...(problem === undefined ? {} : { problem: problem.slice(0, 2_000) }),
      });
    },
    hasRoom: () => !isCut,
    sample: () => sample,
  };
}

function pieces(text: string): string[] {
  const all = [];
  for (let at = 0; at < text.length; at += pieceCharacters)
    all.push(text.slice(at, at + pieceCharacters));
  return all.length > 0 ? all : [""];
}
