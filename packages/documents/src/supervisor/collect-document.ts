import { describeFlaw } from "@bron/protocol";
import type { Frame } from "../frame.ts";
import type { ParsedDocument } from "../parsed-document.ts";
import { createDraft, type DocumentDraft } from "./document-draft.ts";

/** Far more than a well-behaved parser sends. */
const maxDepth = 8;
const maxAttachments = 1_000;

interface DocumentCollector {
  /** Returns false when the parser exceeds its limits. */
  take(frame: Frame): boolean;
  /** The document so far, or undefined before the kind is known. */
  document(): ParsedDocument | undefined;
}

/**
 * Assembles a document from frames. Counts its size independently, because empty pages and rows
 * take memory too.
 */
export function createCollector(maxCharacters: number): DocumentCollector {
  const root = createDraft();
  let opened: DocumentDraft[] = [];
  let attachments = 0;
  let characters = 0;
  const maxSize = 2 * maxCharacters + 100_000;
  const current = () => opened.at(-1) ?? root;

  return {
    take(frame) {
      characters += sizeOf(frame);
      if (characters > maxSize) return false;
      if (frame.type === "open") {
        if (opened.length >= maxDepth || ++attachments > maxAttachments) return false;
        opened = [...opened, current().attach(frame)];
      } else if (frame.type === "close") {
        if (opened.length === 0) return false;
        current().end(
          typeof frame.problem === "object" ? describeFlaw(frame.problem) : frame.problem,
        );
        opened = opened.slice(0, -1);
      } else if (frame.type === "cut") {
        for (const draft of [root, ...opened]) draft.take(frame);
      } else current().take(frame);
      return true;
    },
    document: () => root.document(),
  };
}

function sizeOf(frame: Frame): number {
  if (frame.type === "text" || frame.type === "page") return frame.text.length + 1;
  if (frame.type === "layout")
    return frame.texts.reduce((sum, { text }) => sum + text.length + 1, 1);
  if (frame.type === "head") return frame.value.length + 1;
  if (frame.type === "rows")
    return frame.rows.reduce(
      (sum, row) => sum + row.reduce((cells, cell) => cells + cell.length + 1, 1),
      frame.table.length + 1,
    );
  return 0;
}
