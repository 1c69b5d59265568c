import { quotation } from "./quotes.ts";
import { markReferences } from "./reference.ts";

/** What reading a clause may need from its surroundings. */
export interface ClauseContext {
  restore(text: string): string;
  /** The note that the steps before spoke of last. */
  readonly lastTitle?: string;
}

export function cleanTitle(words: string, context: ClauseContext): string {
  return context.restore(words.trim().replace(/[\s.,;:!?]+$/, ""));
}

/** Words that were quoted are meant as they are; others may refer to earlier outcomes. A lone final full stop is not part of them. */
export function readText(words: string, context: ClauseContext): string {
  const text = words.trim();
  if (new RegExp(`^${quotation}[.]?$`).test(text)) return context.restore(text.replace(/\.$/, ""));
  return context.restore(markReferences(text.replace(/^([^.!?]*)\.$/, "$1")));
}
