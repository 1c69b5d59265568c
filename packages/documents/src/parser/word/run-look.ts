import { looksAlike, parseColour } from "../html/colour.ts";
import { wordAttribute } from "./word-xml.ts";

/** What keeps letters from being seen. White ones are seen on a dark ground. */
export interface RunLook {
  readonly isHidden: boolean;
  readonly isWhite: boolean;
}

const isOff = /^(?:0|false|off)$/i;
/** In half points: letters of 2 pt are a line of dots. */
const mostTinySize = 4;
/** In percent of their usual width. */
const mostTinyWidth = 5;
/** Of a theme: what is white on paper. */
const paleThemes = /^(?:background1|light1)$/;

/** What one property of a run says about it; undefined if it says nothing. */
export function lookOfProperty(name: string, attributes: string): Partial<RunLook> | undefined {
  const value = wordAttribute(attributes, "val");
  if (name === "vanish" || name === "specVanish") return { isHidden: !isOff.test(value ?? "") };
  if (name === "sz") return { isHidden: Number(value ?? "24") <= mostTinySize };
  if (name === "w") return { isHidden: Number.parseFloat(value ?? "100") <= mostTinyWidth };
  if (name === "color")
    return {
      isWhite:
        paleThemes.test(wordAttribute(attributes, "themeColor") ?? "") || isWhite(value ?? ""),
    };
  return undefined;
}

/** Whether a ground is one on which white letters are seen. */
export function isDarkGround(name: string, attributes: string): boolean {
  if (name === "highlight")
    return !/^(?:none|white)$/i.test(wordAttribute(attributes, "val") ?? "none");
  const fill = wordAttribute(attributes, "fill") ?? "auto";
  return name === "shd" && /^[0-9a-f]{6}$/i.test(fill) && !isWhite(fill);
}

function isWhite(value: string): boolean {
  const colour = parseColour(`#${value}`);
  return colour !== undefined && colour !== "transparent" && looksAlike(colour, [255, 255, 255]);
}

export interface WordStyles {
  /** What holds where no style says otherwise. */
  readonly usual: RunLook;
  /** By their ids, with what they are based on: only what they say themselves. */
  readonly looks: ReadonlyMap<string, Partial<RunLook>>;
}

export function readStyles(xml: string): WordStyles {
  const own = new Map<
    string,
    { readonly look: Partial<RunLook>; readonly base: string | undefined }
  >();
  // Cut at every beginning: what never ends must not be looked for again and again.
  for (const piece of xml.split(/<w:style(?=\s)/).slice(1)) {
    const end = piece.indexOf("</w:style>");
    if (end === -1) continue;
    const inner = piece.slice(0, end);
    const attributes = inner.slice(0, inner.indexOf(">"));
    own.set(wordAttribute(attributes, "styleId") ?? "", {
      look: lookOfProperties(inner),
      base: wordAttribute(/<w:basedOn\s([^>]*)>/.exec(inner)?.[1] ?? "", "val"),
    });
  }
  const whole = (id: string, depth: number): Partial<RunLook> => {
    const style = own.get(id);
    return {
      ...(style?.base !== undefined && depth < 20 ? whole(style.base, depth + 1) : {}),
      ...style?.look,
    };
  };
  const defaults = between(xml, "<w:rPrDefault>", "</w:rPrDefault>");
  return {
    usual: { isHidden: false, isWhite: false, ...lookOfProperties(defaults) },
    looks: new Map([...own.keys()].map((id) => [id, whole(id, 0)])),
  };
}

/** Those of the first run properties in it. */
function lookOfProperties(xml: string): Partial<RunLook> {
  const looks = [...between(xml, "<w:rPr>", "</w:rPr>").matchAll(/<w:(\w+)([^>]*)>/g)].map(
    ([, name = "", rest = ""]) => lookOfProperty(name, rest),
  );
  return Object.assign({}, ...looks) as Partial<RunLook>;
}

function between(xml: string, begin: string, end: string): string {
  const from = xml.indexOf(begin);
  const to = from === -1 ? -1 : xml.indexOf(end, from);
  return to === -1 ? "" : xml.slice(from + begin.length, to);
}
