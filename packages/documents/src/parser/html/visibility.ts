import { looksAlike, parseColour, type Colour } from "./colour.ts";
import { parseDeclarations, parseSheet, type Declarations, type Rule, type Sheet } from "./css.ts";
import { attribute, type HtmlElement } from "./parse-html.ts";

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
}

/** By the elements' own style and by the plain rules of the page's sheets. */
export function createVisibility(css: string): PageVisibility {
  const sheet = parseSheet(css);
  const rulesBySelector = Map.groupBy(sheet.rules, ({ selector }) => selector);
  return {
    start: startLook(sheet),
    judge(element, outer) {
      const declarations = declarationsFor(element, rulesBySelector);
      const isClosed = element.tagName === "dialog" && attribute(element, "open") === undefined;
      const isHidden = isClosed || attribute(element, "hidden") !== undefined || hidesAll(declarations);
      return { isHidden, look: lookOf(element, declarations, outer) };
    },
  };
}

/** Whether text that looks like this is not seen. */
export function isUnseen({ colour, background, isTiny, isInvisible }: Look): boolean {
  return isTiny || isInvisible || (colour !== undefined && background !== undefined && looksAlike(colour, background));
}

/** Paper is white, unless a sheet may say otherwise in a way that is not understood. */
function startLook({ hasUnknownBackgrounds }: Sheet): Look {
  return { colour: [0, 0, 0], background: hasUnknownBackgrounds ? undefined : [255, 255, 255], isTiny: false, isInvisible: false };
}

const noDeclarations: Declarations = new Map();

function declarationsFor(element: HtmlElement, rules: ReadonlyMap<string, readonly Rule[]>): Declarations {
  const style = attribute(element, "style");
  if (rules.size === 0) return style === undefined ? noDeclarations : parseDeclarations(style).all;
  const own = parseDeclarations(style ?? "");
  const tag = element.tagName;
  const classes = (attribute(element, "class") ?? "").toLowerCase().split(/\s+/, 50).filter(Boolean).map((name) => `.${name}`);
  const id = attribute(element, "id")?.toLowerCase();
  const marks = [...classes, ...(id === undefined ? [] : [`#${id}`])];
  const matching = [tag, ...marks, ...marks.map((mark) => tag + mark)].flatMap((selector) => rules.get(selector) ?? []);
  return new Map([...matching.flatMap((rule) => [...rule.declarations]), ...own.all, ...matching.flatMap((rule) => [...rule.important]), ...own.important]);
}

function lookOf(element: HtmlElement, style: Declarations, outer: Look): Look {
  if (style.size === 0 && element.attrs.length === 0) return outer;
  const colour = style.get("color") ?? (element.tagName === "font" ? attribute(element, "color") : undefined);
  const background = style.get("background-color") ?? style.get("background") ?? attribute(element, "bgcolor");
  const hasPicture = /url\(|gradient/.test(`${style.get("background") ?? ""}${style.get("background-image") ?? ""}`) || attribute(element, "background") !== undefined;
  const visibility = style.get("visibility");
  return {
    colour: colour === undefined ? outer.colour : solid(colour, outer.background),
    background: hasPicture ? undefined : background === undefined ? outer.background : solid(background, outer.background),
    isTiny: isTinySize(style.get("font-size"), outer.isTiny),
    isInvisible: visibility === undefined || visibility === "inherit" ? outer.isInvisible : visibility !== "visible",
  };
}

/** What is transparent shows what is behind it. */
function solid(written: string, behind: Colour | undefined): Colour | undefined {
  const colour = parseColour(written);
  return colour === "transparent" ? behind : colour;
}

const noArea = /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)/;

function hidesAll(style: Declarations): boolean {
  if (style.size === 0) return false;
  const value = (property: string) => style.get(property) ?? "";
  if (value("display") === "none" || isZero(value("opacity")) || value("mso-hide") === "all") return true;
  if (/^hidden|^clip/.test(value("overflow")) && ["height", "max-height", "width", "max-width"].some((property) => isZero(value(property)))) return true;
  if (["left", "top", "right", "text-indent", "margin-left", "margin-top"].some((property) => isFarAway(value(property)))) return true;
  return noArea.test(value("clip")) || /inset\((?:50|100)%/.test(value("clip-path")) || /scale\(0(?:\.0+)?[,)]|translate\w*\([^)]*-\d{4}/.test(value("transform"));
}

function isTinySize(size: string | undefined, isOuterTiny: boolean): boolean {
  if (size === undefined || size === "inherit") return isOuterTiny;
  if (isOuterTiny && /(?<!r)em$|%$/.test(size)) return true;
  return isZero(size) || /^[01](?:\.\d+)?px/.test(size);
}

/** Outside of any screen. */
function isFarAway(value: string): boolean {
  return Number.parseFloat(value) <= (value.endsWith("em") ? -50 : -500);
}

/** Nothing, or so little that it cannot be seen. */
function isZero(value: string): boolean {
  return /^[\d.]+(?:px|pt|em|rem|%|vh|vw)?$/.test(value) && Number.parseFloat(value) < 0.06;
}
