import { looksAlike, parseColor } from "../html/color.ts";
import { wordAttribute } from "./word-xml.ts";

/** Properties that hide text. White text is visible on a dark background. */
export interface RunAppearance {
  readonly isHidden: boolean;
  readonly isWhite: boolean;
}

const isOff = /^(?:0|false|off)$/i;
/** In half points. Text of 2 pt looks like a line of dots. */
const maxTinySize = 4;
/** In percent of the normal width. */
const maxTinyWidth = 5;
/** Theme colors that are white on paper. */
const paleThemes = /^(?:background1|light1)$/;

/** The effect of one run property, or undefined if it has none. */
export function appearanceOfProperty(
  name: string,
  attributes: string,
): Partial<RunAppearance> | undefined {
  const value = wordAttribute(attributes, "val");
  if (name === "vanish" || name === "specVanish") return { isHidden: !isOff.test(value ?? "") };
  if (name === "sz") return { isHidden: Number(value ?? "24") <= maxTinySize };
  if (name === "w") return { isHidden: Number.parseFloat(value ?? "100") <= maxTinyWidth };
  if (name === "color")
    return {
      isWhite:
        paleThemes.test(wordAttribute(attributes, "themeColor") ?? "") || isWhite(value ?? ""),
    };
  return undefined;
}

/** Whether white text is visible on this background. */
export function isDarkGround(name: string, attributes: string): boolean {
  if (name === "highlight")
    return !/^(?:none|white)$/i.test(wordAttribute(attributes, "val") ?? "none");
  const fill = wordAttribute(attributes, "fill") ?? "auto";
  return name === "shd" && /^[0-9a-f]{6}$/i.test(fill) && !isWhite(fill);
}

function isWhite(value: string): boolean {
  const color = parseColor(`#${value}`);
  return color !== undefined && color !== "transparent" && looksAlike(color, [255, 255, 255]);
}

export interface WordStyles {
  /** Applies where no style says otherwise. */
  readonly usual: RunAppearance;
  /** Appearance by style id, including inherited values. Contains only properties that are set. */
  readonly appearances: ReadonlyMap<string, Partial<RunAppearance>>;
}

export function readStyles(xml: string): WordStyles {
  const own = new Map<
    string,
    { readonly appearance: Partial<RunAppearance>; readonly base: string | undefined }
  >();
  // Split at every opening tag, so that a missing closing tag is not searched for again and again.
  for (const piece of xml.split(/<w:style(?=\s)/).slice(1)) {
    const end = piece.indexOf("</w:style>");
    if (end === -1) continue;
    const inner = piece.slice(0, end);
    const attributes = inner.slice(0, inner.indexOf(">"));
    own.set(wordAttribute(attributes, "styleId") ?? "", {
      appearance: appearanceOfProperties(inner),
      base: wordAttribute(/<w:basedOn\s([^>]*)>/.exec(inner)?.[1] ?? "", "val"),
    });
  }
  const inherited = (id: string, depth: number): Partial<RunAppearance> => {
    const style = own.get(id);
    return {
      ...(style?.base !== undefined && depth < 20 ? inherited(style.base, depth + 1) : {}),
      ...style?.appearance,
    };
  };
  const defaults = between(xml, "<w:rPrDefault>", "</w:rPrDefault>");
  return {
    usual: { isHidden: false, isWhite: false, ...appearanceOfProperties(defaults) },
    appearances: new Map([...own.keys()].map((id) => [id, inherited(id, 0)])),
  };
}

/** Appearance set by the first run properties in the XML. */
function appearanceOfProperties(xml: string): Partial<RunAppearance> {
  const appearances = [...between(xml, "<w:rPr>", "</w:rPr>").matchAll(/<w:(\w+)([^>]*)>/g)].map(
    ([, name = "", rest = ""]) => appearanceOfProperty(name, rest),
  );
  return Object.assign({}, ...appearances) as Partial<RunAppearance>;
}

function between(xml: string, begin: string, end: string): string {
  const from = xml.indexOf(begin);
  const to = from === -1 ? -1 : xml.indexOf(end, from);
  return to === -1 ? "" : xml.slice(from + begin.length, to);
}
