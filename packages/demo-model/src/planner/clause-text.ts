import { quotation } from "./quotes.ts";
import { markReferences } from "./reference.ts";

/** Context that a clause may depend on. */
export interface ClauseContext {
  restore(text: string): string;
  /** The title of the last note that earlier steps mentioned. */
  readonly lastTitle?: string;
}

export function cleanTitle(words: string, context: ClauseContext): string {
  return context.restore(words.trim().replace(/[\s.,;:!?]+$/, ""));
}

/**
 * Quoted text is taken literally. Other text may refer to earlier results. A single final period is
 * dropped.
 */
export function readText(words: string, context: ClauseContext): string {
  const text = words.trim();
  if (new RegExp(`^${quotation}[.]?$`).test(text)) return context.restore(text.replace(/\.$/, ""));
  return context.restore(markReferences(text.replace(/^([^.!?]*)\.$/, "$1")));
}
