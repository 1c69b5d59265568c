import { looksAlike, parseColour, type Colour } from "./colour.ts";
import { parseDeclarations, type Declarations } from "./css.ts";
import { couldHide, hidesAll, isTinySize, isUnclear } from "./hiding-styles.ts";
import { attribute, type HtmlElement } from "./parse-html.ts";
import { createMatcher, type SelectorMatcher } from "./selector.ts";
import { parseSheet, type Rule, type Sheet } from "./sheet.ts";

/** What an element hands down to those inside of it, each of which may say otherwise. Undefined is not known. */
export interface Look {
  readonly colour: Colour | undefined;
  readonly background: Colour | undefined;
  /** Newsletters set the size of letters to nothing around cells, and set it again within. */
  readonly isTiny: boolean;
  readonly isInvisible: boolean;
}

interface Visibility {
  /** Nothing in it can be seen, whatever it says itself. */
  readonly isHidden: boolean;
  readonly look: Look;
}

/** Says of elements whether a person sees what is in them. */
export interface PageVisibility {
  readonly start: Look;
  judge(element: HtmlElement, outer: Look): Visibility;
  /** Whether there are styles that could hide text in ways that are not understood. */
  hasUnknownHiding(): boolean;
}

/** By the elements' own style and by those rules of the page's sheets that are understood. */
export function createVisibility(css: string): PageVisibility {
  const sheet = parseSheet(css);
  const rulesByKey = Map.groupBy(sheet.rules, ({ selector }) => selector.key);
  const matcher = createMatcher();
  let hasUnclear = false;
  return {
    start: startLook(sheet),
    judge(element, outer) {
      const declarations = computed(declarationsFor(element, rulesByKey, matcher), sheet.names);
      hasUnclear ||= element.childNodes.length > 0 && isUnclear(declarations);
      // Closed until a script or a press opens them.
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
      return { isHidden, look: lookOf(element, declarations, outer) };
    },
    hasUnknownHiding: () => hasUnclear || matcher.isExhausted() || sheet.unknown.some(couldHide),
  };
}

/** Whether text that looks like this is not seen. */
export function isUnseen({ colour, background, isTiny, isInvisible }: Look): boolean {
  return (
    isTiny ||
    isInvisible ||
    (colour !== undefined && background !== undefined && looksAlike(colour, background))
  );
}

/** Paper is white, unless a sheet may say otherwise in a way that is not understood. */
function startLook({ hasUnknownBackgrounds }: Sheet): Look {
  return {
    colour: [0, 0, 0],
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
  const own = parseDeclarations(style ?? "");
  const matching = ["*", element.tagName, ...matcher.marksOf(element)]
    .flatMap((key) => rules.get(key) ?? [])
    .filter(({ selector }) => matcher.matches(element, selector))
    .sort((one, other) => one.selector.weight - other.selector.weight);
  return new Map([
    ...matching.flatMap((rule) => [...rule.declarations]),
    ...own.all,
    ...matching.flatMap((rule) => [...rule.important]),
    ...own.important,
  ]);
}

/** With values in the place of their names, where there is only one that can be meant. */
function computed(style: Declarations, names: ReadonlyMap<string, string>): Declarations {
  let changed: Map<string, string> | undefined;
  for (const [property, value] of style) {
    if (!/var\(|calc\(/.test(value)) continue;
    const plain = value
      .replace(
        /var\(\s*(--[\w-]+)\s*(?:,([^()]*))?\)/g,
        (whole, name: string, instead: string | undefined) =>
          style.get(name) ?? names.get(name) ?? instead?.trim() ?? whole,
      )
      .replace(/calc\(\s*([-\d.]+(?:[a-z]+|%)?)\s*\)/g, "$1");
    (changed ??= new Map(style)).set(property, plain);
  }
  return changed ?? style;
}

function lookOf(element: HtmlElement, style: Declarations, outer: Look): Look {
  if (style.size === 0 && element.attrs.length === 0) return outer;
  const colour =
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
    colour: colour === undefined ? outer.colour : solid(colour, outer.background),
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

/** What is transparent shows what is behind it. */
function solid(written: string, behind: Colour | undefined): Colour | undefined {
  const colour = parseColour(written);
  return colour === "transparent" ? behind : colour;
}
