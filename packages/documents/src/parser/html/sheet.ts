import { parseDeclarations, plainCss, type Declarations } from "./css.ts";
import { parseSelector, type Selector } from "./selector.ts";

const maxSheetCharacters = 256_000;
const maxRules = 2_000;

export interface Rule {
  readonly selector: Selector;
  readonly declarations: Declarations;
  /** Only what is marked as important; it outranks the element's own style. */
  readonly important: Declarations;
}

export interface Sheet {
  readonly rules: readonly Rule[];
  /** Whether backgrounds are set by rules that are not understood. */
  readonly hasUnknownBackgrounds: boolean;
  /** What else such rules say; each may hide something. */
  readonly unknown: readonly Declarations[];
}

/** States that a page is not in when it is opened, and parts that hold no text of the page's. */
const notTheText = /::|:(?:before|after|hover|focus|active|visited|link|target|placeholder|first-letter|first-line|selection|-webkit-[\w-]+|-moz-[\w-]+)/;

/** The rules that hold on every screen. Those that depend on it are left out: they do not hold everywhere. */
export function parseSheet(css: string): Sheet {
  const rules: Rule[] = [];
  const unknown: Declarations[] = [];
  let hasUnknownBackgrounds = false;

  const add = (selectors: string, body: string) => {
    const { all, important } = parseDeclarations(body);
    for (const written of selectors.split(",")) {
      const selector = rules.length < maxRules ? parseSelector(written) : undefined;
      if (selector) rules.push({ selector, declarations: all, important });
      else {
        hasUnknownBackgrounds ||= all.has("background") || all.has("background-color");
        if (!notTheText.test(written)) unknown.push(all);
      }
    }
  };
  const read = (text: string, depth: number) => {
    for (const { head, body } of topLevelBlocks(text)) {
      if (!head.startsWith("@")) add(head, body);
      else if (depth < 3 && holdsEverywhere(head)) read(body, depth + 1);
      else hasUnknownBackgrounds ||= /background/i.test(body);
    }
  };
  read(plainCss(css.slice(0, maxSheetCharacters)), 0);
  return { rules, hasUnknownBackgrounds, unknown };
}

/** A condition that every screen fulfils is none. */
function holdsEverywhere(head: string): boolean {
  if (/^@(?:layer|supports)\b/i.test(head)) return true;
  const [, query] = /^@media\b(.*)$/is.exec(head) ?? [];
  return query?.split(",").some((one) => one.toLowerCase().split(/\band\b/).every((part) => isAlwaysTrue(part.trim()))) ?? false;
}

function isAlwaysTrue(part: string): boolean {
  if (/^(?:|(?:only\s+)?(?:all|screen))$/.test(part)) return true;
  const [, edge, pixels] = /^\(\s*(min|max)-(?:device-)?(?:width|height)\s*:\s*([\d.]+)(?:px)?\s*\)$/.exec(part) ?? [];
  return edge === "min" ? Number(pixels) <= 300 : edge === "max" && Number(pixels) >= 3_000;
}

function* topLevelBlocks(css: string): Generator<{ readonly head: string; readonly body: string }> {
  let depth = 0;
  let headAt = 0;
  let bodyAt = 0;
  for (let at = 0; at < css.length; at++) {
    const sign = css[at];
    if (sign === ";" && depth === 0) headAt = at + 1;
    if (sign === "{" && depth++ === 0) bodyAt = at + 1;
    if (sign === "}" && depth > 0 && --depth === 0) {
      yield { head: css.slice(headAt, bodyAt - 1).trim(), body: css.slice(bodyAt, at) };
      headAt = at + 1;
    }
  }
  // A browser closes what was left open.
  if (depth > 0) yield { head: css.slice(headAt, bodyAt - 1).trim(), body: css.slice(bodyAt).replace(/\}*$/, "") };
}
