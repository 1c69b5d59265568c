import type { JsonObject } from "@bron/protocol";
import type { PageState } from "../wire.ts";

/**
 * What the visitor sees, as one text of context. It is written as JSON, so that no text of the page
 * can end it, and has a random name, so that no text of the page can pretend to be it.
 */
export function pageNote(page: PageState, nonce: string): string {
  return JSON.stringify({ [`page ${nonce}`]: pageData(page) });
}

/** The page after a tool, inside the tool's result. */
export function pageData({ url, title, kind, content, cuts = [] }: PageState): JsonObject {
  return {
    url,
    title,
    kind,
    content: content as JsonObject,
    ...(cuts.length === 0 ? {} : { cuts: [...cuts] }),
  };
}
