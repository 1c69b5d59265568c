import type { FileFlaw } from "@bron/protocol";
import type { DocumentKind, HeadLine, ImageInfo, PageLayout } from "../parsed-document.ts";
import type { Frame } from "../frame.ts";

/** A file attached to another one. */
interface OpenedFile {
  readonly name: string;
  readonly mediaType: string;
  readonly byteCount: number;
}

/**
 * Receives what the readers find. A method that returns false has no room left, and the reader must
 * stop.
 */
export interface Output {
  kind(kind: DocumentKind, pageCount?: number): void;
  progress(done: number, total?: number): void;
  warn(message: string): void;
  /** Marks the output as truncated, with this warning. */
  cut(why: string): void;
  page(number: number, text: string): boolean;
  text(text: string): boolean;
  /** Previews only: a page with its texts at their places. */
  layout(page: PageLayout): boolean;
  /** Previews only: a header line of a mail. */
  head(line: HeadLine): void;
  /** Previews only. */
  image(info: ImageInfo): void;
  row(table: string, cells: readonly string[]): boolean;
  /** The following calls are about this attachment until `close`. */
  open(file: OpenedFile): void;
  close(problem?: string | FileFlaw): void;
  hasRoom(): boolean;
}

/** Additional methods for the thread that owns the output. */
interface OwnedOutput extends Output {
  flush(): void;
  /** The beginning of the text, for language detection. */
  sample(): string;
}

const pieceCharacters = 60_000;
const sampleCharacters = 6_000;
/** Limit for a name or media type. */
const labelCharacters = 200;

/**
 * Cuts off at `maxCharacters` and warns once. Sends long texts and many rows in pieces that fit
 * into a frame. A preview says in its own words that the file contains more.
 */
export function createOutput(
  maxCharacters: number,
  send: (frame: Frame) => void,
  { warnsOfCut = true }: { readonly warnsOfCut?: boolean } = {},
): OwnedOutput {
  let charactersLeft = maxCharacters;
  let isCut = false;
  const rows = createRowBuffer(send);
  let sample = "";

  const remember = (text: string) => {
    if (sample.length < sampleCharacters)
      sample += `${text.slice(0, sampleCharacters - sample.length)}\n`;
  };
  const cut = (why: string) => {
    if (isCut) return;
    isCut = true;
    rows.flush();
    send({ type: "cut" });
    if (warnsOfCut) send({ type: "warning", message: why });
  };
  const take = (text: string): string => {
    const accepted = text.slice(0, charactersLeft);
    charactersLeft -= accepted.length;
    remember(accepted);
    if (accepted.length < text.length)
      cut(`Truncated: only the first ${maxCharacters.toLocaleString("en")} characters were read.`);
    return accepted;
  };

  return {
    flush: rows.flush,
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
    layout({ texts, ...page }) {
      const shown = [];
      for (const { text, ...place } of texts) {
        if (isCut) break;
        shown.push({ ...place, text: take(text) });
      }
      send({ type: "layout", ...page, texts: shown });
      return !isCut;
    },
    head: ({ name, value }) => send({ type: "head", name, value: take(value) }),
    image: (info) => send({ type: "image", ...info }),
    row(table, cells) {
      const size = cells.reduce((sum, cell) => sum + cell.length + 1, 1);
      if (isCut || size > charactersLeft) {
        cut(
          `Truncated: only the rows within the first ${maxCharacters.toLocaleString("en")} characters were read.`,
        );
        return false;
      }
      remember(cells.join(" "));
      charactersLeft -= size;
      rows.add(table, cells, size);
      return true;
    },
    open(file) {
      rows.flush();
      send(openFrame(file));
    },
    close(problem) {
      rows.flush();
      send(closeFrame(problem));
    },
    hasRoom: () => !isCut,
    sample: () => sample,
  };
}

/** Collects rows of one table. Sends them before the next table, and when they fill a frame. */
function createRowBuffer(send: (frame: Frame) => void) {
  let rows: string[][] = [];
  let rowsTable = "";
  let rowsSize = 0;
  const flush = () => {
    if (rows.length > 0) send({ type: "rows", table: rowsTable, rows });
    rows = [];
    rowsSize = 0;
  };
  return {
    flush,
    add(table: string, cells: readonly string[], size: number): void {
      if (table !== rowsTable) flush();
      rowsTable = table;
      rows.push([...cells]);
      rowsSize += size;
      if (rowsSize >= pieceCharacters) flush();
    },
  };
}

const openFrame = ({ name, mediaType, byteCount }: OpenedFile): Frame => ({
  type: "open",
  name: name.slice(0, labelCharacters),
  mediaType: mediaType.slice(0, labelCharacters),
  byteCount,
});

function closeFrame(problem: string | FileFlaw | undefined): Frame {
  if (problem === undefined) return { type: "close" };
  return {
    type: "close",
    problem: typeof problem === "string" ? problem.slice(0, 2_000) : problem,
  };
}

function pieces(text: string): string[] {
  const all = [];
  for (let at = 0; at < text.length; at += pieceCharacters)
    all.push(text.slice(at, at + pieceCharacters));
  return all.length > 0 ? all : [""];
}
