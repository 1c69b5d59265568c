import type { JsonObject } from "@bron/page/wire";
import type { PageView } from "../page/page-view.ts";
import type { PreparedCall } from "../tools/tool.ts";

/** What the visitor is asked about one call. */
export interface ApprovalRequest {
  readonly id: string;
  readonly words: string;
  readonly details: readonly (readonly [name: string, value: string])[];
  /** Is marked on the page while the visitor decides. */
  readonly element: Element | undefined;
  /** Whether the page is still as it was when the visitor was asked. */
  isCurrent(): boolean;
}

export type Verdict = "approved" | "denied" | "void";

/** Asks the visitor. Resolves once. An abort counts as "denied". */
export type AskVisitor = (request: ApprovalRequest, signal: AbortSignal) => Promise<Verdict>;

interface Bound {
  readonly tool: string;
  readonly args: JsonObject;
  readonly prepared: PreparedCall;
  readonly view: PageView;
}

/**
 * A digest of all that an approval is about: the tool, its arguments, the element, what surrounds
 * it, and the address. Text elsewhere on the page may change, or no page with a clock could be used.
 */
export function bindingOf({ tool, args, prepared, view }: Bound): string {
  const { element, words, details } = prepared;
  const at = element ? [view.ids.idOf(element), view.surroundings(element)] : [];
  return digest(JSON.stringify([tool, args, words, details, location.href, ...at]));
}

/** A short digest of text (FNV-1a, twice 32 bits). It finds changes, and keeps no secret. */
export function digest(text: string): string {
  let [one, other] = [0x811c9dc5, 0x01000193];
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x85ebca6b) ^ (other >>> 13);
  }
  return `${(one >>> 0).toString(16)}${(other >>> 0).toString(16)}:${text.length}`;
}
