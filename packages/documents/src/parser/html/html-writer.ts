import { createLineWriter, type LineWriter } from "./line-writer.ts";
import { linkTarget } from "./link-target.ts";
import { attribute, type HtmlElement } from "./parse-html.ts";
import { createTableRows, type TableRows } from "./table-rows.ts";
import { blockTags, gapTags, ownLineTags } from "./tags.ts";

export interface HtmlSink {
  /** Returns false when there is no room left. */
  text(text: string): boolean;
  row(table: number, cells: readonly string[]): boolean;
}

interface HtmlWriter {
  text(text: string): void;
  /** Applies the element to the layout. Call the returned function when the element ends. */
  enter(element: HtmlElement): () => void;
  hasRoom(): boolean;
}

/** Longer link texts are not compared with their targets. */
const linkTextCharacters = 2_100;
const noop = () => {};

/**
 * Lays out the elements of a page as lines: blocks, lists, links with their targets, tables row by
 * row.
 */
export function createHtmlWriter(dataTables: ReadonlySet<HtmlElement>, sink: HtmlSink): HtmlWriter {
  let hasRoom = true;
  const page = createLineWriter((text) => {
    hasRoom = hasRoom && sink.text(text);
  });
  let writer = page;
  /** Data tables contain no other tables. */
  let table: { readonly rows: TableRows; readonly number: number } | undefined;
  let tableCount = 0;
  let preDepth = 0;
  let linkText: string | undefined;
  const lists = createLists(() => writer);

  const enterTable = () => {
    table = { rows: createTableRows(), number: ++tableCount };
    writer.block(true);
    return () => {
      table = undefined;
      writer.block(true);
    };
  };
  const enterCell = (cell: HtmlElement, rows: TableRows) => {
    const parts: string[] = [];
    const outer: LineWriter = writer;
    writer = createLineWriter((text) => parts.push(text));
    return () => {
      writer = outer;
      rows.cell(cell, parts.join(""));
    };
  };
  const leaveRow = () => {
    const cells = table?.rows.endRow();
    if (!table || !cells) return;
    writer.block(false);
    writer.preformatted(cells.map((cell) => cell.replace(/\s+/g, " ")).join("\t"));
    writer.block(false);
    hasRoom = hasRoom && sink.row(table.number, cells);
  };
  const enterLink = (link: HtmlElement) => {
    if (linkText !== undefined) return noop;
    linkText = "";
    return () => {
      const target = linkTarget(attribute(link, "href") ?? "", linkText ?? "");
      linkText = undefined;
      if (target !== undefined) writer.inline(` <${target}>`);
    };
  };
  const enterBlock = (tagName: string) => {
    const [hasGap, keepsLines] = [gapTags.has(tagName), ownLineTags.has(tagName)];
    writer.block(hasGap);
    if (keepsLines) preDepth += 1;
    return () => {
      if (keepsLines) preDepth -= 1;
      writer.block(hasGap);
    };
  };

  return {
    hasRoom: () => hasRoom,
    text(text) {
      if (linkText !== undefined && linkText.length < linkTextCharacters) linkText += text;
      if (preDepth > 0) writer.preformatted(text);
      else writer.inline(text);
    },
    enter(element) {
      const { tagName } = element;
      if (dataTables.has(element)) return enterTable();
      if (table && (tagName === "td" || tagName === "th")) return enterCell(element, table.rows);
      if (table && tagName === "tr") return leaveRow;
      if (tagName === "ul" || tagName === "ol") return lists.enterList(element);
      if (tagName === "li") return lists.enterItem();
      if (tagName === "a") return enterLink(element);
      if (tagName === "br") writer.lineBreak();
      if (tagName === "img") writer.inline(pictureLabel(attribute(element, "alt") ?? ""));
      if (tagName === "input" && attribute(element, "type")?.toLowerCase() !== "hidden")
        writer.inline(` ${attribute(element, "value") ?? ""} `);
      return blockTags.has(tagName) ? enterBlock(tagName) : noop;
    },
  };
}

/** Numbers and indents the items of nested lists. */
function createLists(currentWriter: () => LineWriter) {
  const lists: { next: number; readonly isOrdered: boolean }[] = [];
  return {
    enterList(list: HtmlElement): () => void {
      currentWriter().block(lists.length === 0);
      const start = Number.parseInt(attribute(list, "start") ?? "1", 10);
      lists.push({ next: Number.isNaN(start) ? 1 : start, isOrdered: list.tagName === "ol" });
      return () => {
        lists.pop();
        currentWriter().block(lists.length === 0);
        currentWriter().indent(lists.length);
      };
    },
    enterItem(): () => void {
      const list = lists.at(-1);
      currentWriter().item(list?.isOrdered ? `${list.next++}.` : "-", Math.max(1, lists.length));
      return () => {
        currentWriter().block(false);
        currentWriter().indent(lists.length);
      };
    },
  };
}

/** Labels alt text, because a person does not see it. */
function pictureLabel(words: string): string {
  return words.trim() === "" ? "" : ` [image: ${words.trim()}] `;
}
