import { looksAlike, parseColour, type Colour } from "./colour.ts";
import { parseDeclarations, parseSheet, type Declarations, type Rule, type Sheet } from "./css.ts";
import { attribute, type HtmlElement } from "./parse-html.ts";

/** What an element hands down to those inside of it. Undefined is not known. */
export interface Look {
  readonly colour: Colour | undefined;
  readonly background: Colour | undefined;
}

interface Visibility {
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
      const look = lookOf(element, declarations, outer);
      const isHidden = attribute(element, "hidden") !== undefined || hidesByStyle(declarations) || isUnseen(look);
      return { isHidden, look };
    },
  };
}

/** Paper is white, unless a sheet may say otherwise in a way that is not understood. */
function startLook({ hasUnknownBackgrounds }: Sheet): Look {
  return { colour: [0, 0, 0], background: hasUnknownBackgrounds ? undefined : [255, 255, 255] };
}

function declarationsFor(element: HtmlElement, rules: ReadonlyMap<string, readonly Rule[]>): Declarations {
  const own = parseDeclarations(attribute(element, "style") ?? "");
  if (rules.size === 0) return own.all;
  const tag = element.tagName;
  const classes = (attribute(element, "class") ?? "").toLowerCase().split(/\s+/, 50).filter(Boolean).map((name) => `.${name}`);
  const id = attribute(element, "id")?.toLowerCase();
  const marks = [...classes, ...(id === undefined ? [] : [`#${id}`])];
  const matching = [tag, ...marks, ...marks.map((mark) => tag + mark)].flatMap((selector) => rules.get(selector) ?? []);
  return new Map([...matching.flatMap((rule) => [...rule.declarations]), ...own.all, ...matching.flatMap((rule) => [...rule.important]), ...own.important]);
}

function lookOf(element: HtmlElement, style: Declarations, outer: Look): Look {
  const colour = style.get("color") ?? (element.tagName === "font" ? attribute(element, "color") : undefined);
  const background = style.get("background-color") ?? style.get("background") ?? attribute(element, "bgcolor");
  const hasPicture = /url\(|gradient/.test(`${style.get("background") ?? ""}${style.get("background-image") ?? ""}`) || attribute(element, "background") !== undefined;
  return {
    colour: colour === undefined ? outer.colour : solid(colour, outer.background),
    background: hasPicture ? undefined : background === undefined ? outer.background : solid(background, outer.background),
  };
}

/** What is transparent shows what is behind it. */
function solid(written: string, behind: Colour | undefined): Colour | undefined {
  const colour = parseColour(written);
  return colour === "transparent" ? behind : colour;
}

function isUnseen({ colour, background }: Look): boolean {
  return colour !== undefined && background !== undefined && looksAlike(colour, background);
}

const farAway = /^-\s*(?:\d{3,}|\d+\.\d+e\d)/;

function hidesByStyle(style: Declarations): boolean {
  const value = (property: string) => style.get(property) ?? "";
  const isZero = (property: string) => /^(?:0|0?\.0*\d*|0+(?:\.0+)?)(?:px|pt|em|rem|%|vh|vw)?$/.test(value(property)) && Number.parseFloat(value(property)) < 0.06;
  if (value("display") === "none" || value("visibility") === "hidden" || value("visibility") === "collapse") return true;
  if (isZero("font-size") || /^[01](?:\.\d+)?px/.test(value("font-size")) || isZero("opacity") || value("mso-hide") === "all") return true;
  if (/^hidden|^clip/.test(value("overflow")) && ["height", "max-height", "width", "max-width"].some(isZero)) return true;
  if (["left", "top", "right", "text-indent", "margin-left", "margin-top"].some((property) => farAway.test(value(property)))) return true;
  return /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)/.test(value("clip")) || /inset\((?:50|100)%/.test(value("clip-path")) || /scale\(0(?:\.0+)?[,)]/.test(value("transform"));
}
