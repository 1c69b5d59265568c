import { parseDeclarations, plainCss, type Declarations } from "./css.ts";
import { parseSelector, type Selector } from "./selector.ts";

const maxSheetCharacters = 256_000;
const maxRules = 2_000;
const maxDepth = 3;
const maxCombined = 20;

export interface Rule {
  readonly selector: Selector;
  readonly declarations: Declarations;
  /** Only important declarations, which override the element's own style. */
  readonly important: Declarations;
}

export interface Sheet {
  readonly rules: readonly Rule[];
  /** Whether rules that are not understood set backgrounds. */
  readonly hasUnknownBackgrounds: boolean;
  /** Other declarations of such rules. Each may hide something. */
  readonly unknown: readonly Declarations[];
  /** Custom properties such as --gone that have the same value everywhere. */
  readonly names: ReadonlyMap<string, string>;
}

/**
 * States that a page is not in when it opens, and pseudo-elements that contain no text of the page.
 */
const ignoredSelectors =
  /::|:(?:before|after|hover|focus|active|visited|link|target|placeholder|first-letter|first-line|selection|-webkit-[\w-]+|-moz-[\w-]+)/;

/** Parses the rules that apply on every screen. Leaves out rules that depend on the screen. */
export function parseSheet(css: string): Sheet {
  const rules: Rule[] = [];
  const unknown: Declarations[] = [];
  const names = new Map<string, string | undefined>();
  let hasUnknownBackgrounds = false;

  const add = (selectors: string, body: string, depth: number) => {
    const { own, nested } = withoutNested(body);
    const { all, important } = parseDeclarations(own);
    for (const [name, value] of all)
      if (name.startsWith("--"))
        names.set(name, names.has(name) && names.get(name) !== value ? undefined : value);
    for (const { head, body: inner } of depth < maxDepth ? nested : []) {
      if (!head.startsWith("@")) add(within(selectors, head), inner, depth + 1);
      else if (appliesEverywhere(head)) add(selectors, inner, depth + 1);
    }
    for (const written of selectors.split(",")) {
      const selector = rules.length < maxRules ? parseSelector(written) : undefined;
      if (selector) rules.push({ selector, declarations: all, important });
      else {
        hasUnknownBackgrounds ||= all.has("background") || all.has("background-color");
        if (!ignoredSelectors.test(written)) unknown.push(all);
      }
    }
  };
  const read = (text: string, depth: number) => {
    for (const { head: written, body } of topLevelBlocks(text)) {
      // Old mail puts its sheets into HTML comments. CSS ignores their marks outside of blocks.
      const head = depth === 0 ? written.replaceAll(/<!--|-->/g, " ").trim() : written;
      if (!head.startsWith("@")) add(head, body, depth);
      else if (depth < maxDepth && appliesEverywhere(head)) read(body, depth + 1);
      else hasUnknownBackgrounds ||= /background/i.test(body);
    }
  };
  read(plainCss(css.slice(0, maxSheetCharacters)), 0);
  return {
    rules,
    hasUnknownBackgrounds,
    unknown,
    names: new Map(
      [...names].flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
    ),
  };
}

/**
 * Resolves a nested rule, which applies to descendants of the outer selector unless `&` says
 * otherwise.
 */
function within(outer: string, inner: string): string {
  return outer
    .split(",", maxCombined)
    .flatMap((outerSelector) =>
      inner
        .split(",", maxCombined)
        .map((innerSelector) =>
          innerSelector.includes("&")
            ? innerSelector.replaceAll("&", () => outerSelector.trim())
            : `${outerSelector} ${innerSelector}`,
        ),
    )
    .join(",");
}

function withoutNested(body: string): {
  own: string;
  nested: readonly { readonly head: string; readonly body: string }[];
} {
  if (!body.includes("{")) return { own: body, nested: [] };
  const blocks = [...topLevelBlocks(body)];
  const own = blocks.reduceRight(
    (rest, { from, to }) => `${rest.slice(0, from)};${rest.slice(to)}`,
    body,
  );
  return { own, nested: blocks };
}

/** Whether the at-rule applies on every screen. */
function appliesEverywhere(head: string): boolean {
  if (/^@(?:layer|supports)\b/i.test(head)) return true;
  const [, query] = /^@media\b(.*)$/is.exec(head) ?? [];
  return (
    query?.split(",").some((condition) =>
      condition
        .toLowerCase()
        .split(/\band\b/)
        .every((part) => isAlwaysTrue(part.trim())),
    ) ?? false
  );
}

function isAlwaysTrue(part: string): boolean {
  if (/^(?:|(?:only\s+)?(?:all|screen))$/.test(part)) return true;
  const [, edge, pixels] =
    /^\(\s*(min|max)-(?:device-)?(?:width|height)\s*:\s*([\d.]+)(?:px)?\s*\)$/.exec(part) ?? [];
  return edge === "min" ? Number(pixels) <= 300 : edge === "max" && Number(pixels) >= 3_000;
}

interface Block {
  readonly head: string;
  readonly body: string;
  /** Position in the text, including its head. */
  readonly from: number;
  readonly to: number;
}

function* topLevelBlocks(css: string): Generator<Block> {
  let depth = 0;
  let headAt = 0;
  let bodyAt = 0;
  for (let at = 0; at < css.length; at++) {
    const sign = css[at];
    if (sign === ";" && depth === 0) headAt = at + 1;
    if (sign === "{" && depth++ === 0) bodyAt = at + 1;
    if (sign === "}" && depth > 0 && --depth === 0) {
      yield {
        head: css.slice(headAt, bodyAt - 1).trim(),
        body: css.slice(bodyAt, at),
        from: headAt,
        to: at + 1,
      };
      headAt = at + 1;
    }
  }
  // Browsers close blocks that were left open.
  if (depth > 0)
    yield {
      head: css.slice(headAt, bodyAt - 1).trim(),
      body: css.slice(bodyAt).replace(/\}*$/, ""),
      from: headAt,
      to: css.length,
    };
}
