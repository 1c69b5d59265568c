import { looksAlike, parseColor, type Color } from "./color.ts";
import { parseDeclarations, type Declarations } from "./css.ts";
import { couldHide, hidesAll, isTinySize, isUnclear } from "./hiding-styles.ts";
import { attribute, type HtmlElement } from "./parse-html.ts";
import { createMatcher, type SelectorMatcher } from "./selector.ts";
import { parseSheet, type Rule, type Sheet } from "./sheet.ts";

/** Inherited appearance, which each descendant may override. Undefined means unknown. */
export interface Appearance {
  readonly color: Color | undefined;
  readonly background: Color | undefined;
  /** Newsletters set the font size to zero around cells and reset it inside them. */
  readonly isTiny: boolean;
  readonly isInvisible: boolean;
}

interface Visibility {
  /** Its content is invisible, whatever the content's own style says. */
  readonly isHidden: boolean;
  readonly appearance: Appearance;
}

/** Determines whether a person sees the content of an element. */
export interface PageVisibility {
  readonly start: Appearance;
  judge(element: HtmlElement, outer: Appearance): Visibility;
  /** Whether some styles could hide text in ways that are not understood. */
  hasUnknownHiding(): boolean;
}

/** Uses the elements' own styles and the supported rules of the page's style sheets. */
export function createVisibility(css: string): PageVisibility {
  const sheet = parseSheet(css);
  const rulesByKey = Map.groupBy(sheet.rules, ({ selector }) => selector.key);
  const matcher = createMatcher();
  let hasUnclear = false;
  return {
    start: initialAppearance(sheet),
    judge(element, outer) {
      const declarations = computed(declarationsFor(element, rulesByKey, matcher), sheet.names);
      hasUnclear ||= element.childNodes.length > 0 && isUnclear(declarations);
      // Closed until a script or a click opens them.
      const isClosed =
        (element.tagName === "dialog" && attribute(element, "open") === undefined) ||
        attribute(element, "popover") !== undefined;
      const isNothing =
        element.tagName === "svg" &&
        (attribute(element, "width") === "0" || attribute(element, "height") === "0");
      const isHidden =
        isClosed ||
        isNothing ||
        attribute(element, "hidden") !== undefined ||
        hidesAll(declarations);
      return { isHidden, appearance: appearanceOf(element, declarations, outer) };
    },
    hasUnknownHiding: () => hasUnclear || matcher.isExhausted() || sheet.unknown.some(couldHide),
  };
}

/** Whether text with this appearance is invisible. */
export function isUnseen({ color, background, isTiny, isInvisible }: Appearance): boolean {
  return (
    isTiny ||
    isInvisible ||
    (color !== undefined && background !== undefined && looksAlike(color, background))
  );
}

/** The background is white, unless a rule that is not understood may change it. */
function initialAppearance({ hasUnknownBackgrounds }: Sheet): Appearance {
  return {
    color: [0, 0, 0],
    background: hasUnknownBackgrounds ? undefined : [255, 255, 255],
    isTiny: false,
    isInvisible: false,
  };
}

const noDeclarations: Declarations = new Map();

function declarationsFor(
  element: HtmlElement,
  rules: ReadonlyMap<string, readonly Rule[]>,
  matcher: SelectorMatcher,
): Declarations {
  const style = attribute(element, "style");
  if (rules.size === 0) return style === undefined ? noDeclarations : parseDeclarations(style).all;
  const inline = parseDeclarations(style ?? "");
  const matching = ["*", element.tagName, ...matcher.marksOf(element)]
    .flatMap((key) => rules.get(key) ?? [])
    .filter(({ selector }) => matcher.matches(element, selector))
    .sort((a, b) => a.selector.weight - b.selector.weight);
  return new Map([
    ...matching.flatMap((rule) => [...rule.declarations]),
    ...inline.all,
    ...matching.flatMap((rule) => [...rule.important]),
    ...inline.important,
  ]);
}

/** Resolves custom properties that have only one possible value. */
function computed(style: Declarations, names: ReadonlyMap<string, string>): Declarations {
  let changed: Map<string, string> | undefined;
  for (const [property, value] of style) {
    if (!/var\(|calc\(/.test(value)) continue;
    const plain = value
      .replace(
        /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g,
        (match, name: string, instead: string | undefined) =>
          style.get(name) ?? names.get(name) ?? instead?.trim() ?? match,
      )
      .replace(/calc\(\s*([-\d.]+(?:[a-z]+|%)?)\s*\)/g, "$1");
    (changed ??= new Map(style)).set(property, plain);
  }
  return changed ?? style;
}

function appearanceOf(element: HtmlElement, style: Declarations, outer: Appearance): Appearance {
  if (style.size === 0 && element.attrs.length === 0) return outer;
  const color =
    style.get("-webkit-text-fill-color") ??
    style.get("color") ??
    (element.tagName === "font" ? attribute(element, "color") : undefined);
  const background =
    style.get("background-color") ?? style.get("background") ?? attribute(element, "bgcolor");
  const hasPicture =
    /url\(|gradient/.test(
      `${style.get("background") ?? ""}${style.get("background-image") ?? ""}`,
    ) || attribute(element, "background") !== undefined;
  const visibility = style.get("visibility");
  return {
    color: color === undefined ? outer.color : solid(color, outer.background),
    background: hasPicture
      ? undefined
      : background === undefined
        ? outer.background
        : solid(background, outer.background),
    isTiny: isTinySize(style.get("font-size"), outer.isTiny),
    isInvisible:
      visibility === undefined || visibility === "inherit"
        ? outer.isInvisible
        : visibility !== "visible",
  };
}

/** A transparent color shows what is behind it. */
function solid(written: string, behind: Color | undefined): Color | undefined {
  const color = parseColor(written);
  return color === "transparent" ? behind : color;
}
