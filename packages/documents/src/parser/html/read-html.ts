import type { Output } from "../output.ts";
import { decodeHtml } from "./decode-html.ts";
import { isElement, isText, nodesBelow, parseHtml, type HtmlParent } from "./parse-html.ts";
import { renderHtml } from "./render-html.ts";
import { createVisibility } from "./visibility.ts";

const textPieceCharacters = 16_384;

export function readHtml(bytes: Uint8Array, mediaType: string | undefined, output: Output): void {
  output.kind("html");
  const { text, guess } = decodeHtml(bytes, mediaType);
  if (guess !== undefined) output.warn(guess);
  writeHtml(text, output, { hasTitle: true });
}

/**
 * Writes the text and tables of a page, also for mails and Word documents. Only a real page shows
 * its title.
 */
export function writeHtml(
  html: string,
  output: Output,
  { hasTitle }: { readonly hasTitle: boolean },
): void {
  const { document, isCut } = parseHtml(html, (elements) => output.progress(elements));
  const { title, css } = headOf(document);
  const write = inPieces(output);
  if (hasTitle && title !== "") write.text(`${title}\n\n`);
  const visibility = createVisibility(css);
  const hidden = renderHtml(document, visibility, {
    text: write.text,
    row: (table, cells) => output.row(`table ${table}`, cells),
    progress: (nodes) => output.progress(nodes),
  });
  write.end();
  const warning = hidden.warning();
  if (warning !== undefined) output.warn(warning);
  if (visibility.hasUnknownHiding())
    output.warn(
      "Some styles are not understood and could hide text. A person may see less than is shown here.",
    );
  if (isCut)
    output.cut("Truncated: the page has unusually many elements, and only the first were read.");
}

function headOf(document: HtmlParent): { title: string; css: string } {
  let title: string | undefined;
  const css: string[] = [];
  for (const node of nodesBelow(document)) {
    if (!isElement(node) || (node.tagName !== "title" && node.tagName !== "style")) continue;
    const text = node.childNodes.map((child) => (isText(child) ? child.value : "")).join("");
    if (node.tagName === "style") css.push(text);
    else title ??= text.replace(/\s+/g, " ").trim();
  }
  return { title: title ?? "", css: css.join("\n") };
}

/** Batches words, because each message to the other thread has a cost. */
function inPieces(output: Output) {
  let pending: string[] = [];
  let size = 0;
  const end = () => {
    const hasRoom = size === 0 || output.text(pending.join(""));
    pending = [];
    size = 0;
    return hasRoom;
  };
  const text = (piece: string): boolean => {
    pending.push(piece);
    size += piece.length;
    return size < textPieceCharacters || end();
  };
  return { text, end };
}
