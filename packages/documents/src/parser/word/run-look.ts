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

/** What one property of a run says about it; undefined if it says nothing. */
export function lookOfProperty(name: string, attributes: string): Partial<RunLook> | undefined {
  const value = wordAttribute(attributes, "val");
  if (name === "vanish" || name === "specVanish") return { isHidden: !isOff.test(value ?? "") };
  if (name === "sz") return { isHidden: Number(value ?? "24") <= mostTinySize };
  if (name === "color") return { isWhite: isWhite(value ?? "") };
  return undefined;
}

/** Whether a ground is one on which white letters are seen. */
export function isDarkGround(name: string, attributes: string): boolean {
  if (name === "highlight") return !/^(?:none|white)$/i.test(wordAttribute(attributes, "val") ?? "none");
  const fill = wordAttribute(attributes, "fill") ?? "auto";
  return name === "shd" && /^[0-9a-f]{6}$/i.test(fill) && !isWhite(fill);
}

function isWhite(value: string): boolean {
  const colour = parseColour(`#${value}`);
  return colour !== undefined && colour !== "transparent" && looksAlike(colour, [255, 255, 255]);
}

/** The looks of a document's styles by their ids, with what they are based on. */
export function readStyles(xml: string): ReadonlyMap<string, RunLook> {
  const own = new Map<string, { readonly look: Partial<RunLook>; readonly base: string | undefined }>();
  for (const [, attributes = "", inner = ""] of xml.matchAll(/<w:style\s([^>]*)>([^]*?)<\/w:style>/g)) {
    const properties = /<w:rPr>([^]*?)<\/w:rPr>/.exec(inner)?.[1] ?? "";
    const looks = [...properties.matchAll(/<w:(\w+)([^>]*)>/g)].map(([, name = "", rest = ""]) => lookOfProperty(name, rest));
    own.set(wordAttribute(attributes, "styleId") ?? "", { look: Object.assign({}, ...looks) as Partial<RunLook>, base: wordAttribute(/<w:basedOn\s([^>]*)>/.exec(inner)?.[1] ?? "", "val") });
  }
  const whole = (id: string, depth: number): RunLook => {
    const style = own.get(id);
    return { isHidden: false, isWhite: false, ...(style?.base !== undefined && depth < 20 ? whole(style.base, depth + 1) : {}), ...style?.look };
  };
  return new Map([...own.keys()].map((id) => [id, whole(id, 0)]));
}
