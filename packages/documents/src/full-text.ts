import type { ParsedDocument } from "./parsed-document.ts";

/** The text of a document with its attachments, each under a line with its name. */
export function fullText({ text, attachments = [] }: ParsedDocument): string {
  const inner = attachments.map(
    ({ name, document, problem }) =>
      `=== ${name} ===\n${document ? fullText(document) : `(${problem ?? "not read"})`}`,
  );
  return [text, ...inner].join("\n\n");
}
