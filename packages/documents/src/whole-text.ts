import type { ParsedDocument } from "./parsed-document.ts";

/** A document with all that it carries, each attachment under a line with its name. */
export function wholeText({ text, attachments = [] }: ParsedDocument): string {
  const inner = attachments.map(
    ({ name, document, problem }) =>
      `=== ${name} ===\n${document ? wholeText(document) : `(${problem ?? "not read"})`}`,
  );
  return [text, ...inner].join("\n\n");
}
