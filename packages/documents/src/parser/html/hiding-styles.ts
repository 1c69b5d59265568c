import { parseColour } from "./colour.ts";
import type { Declarations } from "./css.ts";

const noArea = /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)/;
const sides = ["left", "top", "right", "bottom", "text-indent"];

/** Whether nothing of an element can be seen, whatever is in it. */
export function hidesAll(style: Declarations): boolean {
  if (style.size === 0) return false;
  const value = (property: string) => style.get(property) ?? "";
  if (value("display") === "none" || value("content-visibility") === "hidden" || value("mso-hide") === "all") return true;
  if (isZero(value("opacity")) || /opacity\(\s*0?(?:\.0\d*)?%?\s*\)/.test(value("filter"))) return true;
  const isCut = ["overflow", "overflow-x", "overflow-y"].some((property) => /^hidden|^clip/.test(value(property)));
  if (isCut && ["height", "max-height", "width", "max-width"].some((property) => isZero(value(property)) || /^[01](?:\.\d+)?px$/.test(value(property)))) return true;
  if (sides.some((side) => isFarAway(value(side))) || ["margin-left", "margin-top"].some((side) => !value(side).endsWith("%") && isFarAway(value(side)))) return true;
  if (noArea.test(value("clip")) || /inset\(\s*(?:50|100)%|circle\(\s*0/.test(value("clip-path"))) return true;
  return isZero(value("scale")) || /scale\(\s*0(?:\.0+)?\s*[,)]|translate\w*\([^)]*-(?:\d{4}|\d{3,}(?:vw|vh|r?em|%))/.test(value("transform"));
}

/** Whether it could keep text from being seen, one way or another. */
export function couldHide(style: Declarations): boolean {
  const isGone = ["hidden", "collapse"].includes(style.get("visibility") ?? "");
  return hidesAll(style) || isGone || isTinySize(style.get("font-size"), false) || parseColour(style.get("color") ?? "") === "transparent";
}

const pixelsPer: Readonly<Partial<Record<string, number>>> = { px: 1, pt: 4 / 3, pc: 16, em: 16, rem: 16, ex: 8, ch: 8, "%": 0.16, vw: 4, vh: 8, in: 96, cm: 38, mm: 3.8 };
const leastPixels = 3;

export function isTinySize(size: string | undefined, isOuterTiny: boolean): boolean {
  if (size === undefined || size === "inherit") return isOuterTiny;
  if (isOuterTiny && /(?<!r)em$|%$/.test(size)) return true;
  const [, number, unit = ""] = /^([\d.]+)([a-z]+|%)?$/.exec(size) ?? [];
  if (number === undefined) return false;
  return unit === "" ? Number(number) === 0 : Number(number) * (pixelsPer[unit] ?? 1) < leastPixels;
}

const farPixelsPer: Readonly<Partial<Record<string, number>>> = { ...pixelsPer, em: 10, rem: 10, vw: 5, vh: 5, "%": 5 };

/** Outside of any screen. */
function isFarAway(value: string): boolean {
  const [, number, unit = "px"] = /(-[\d.]+)([a-z]+|%)?/.exec(value) ?? [];
  return number !== undefined && Number(number) * (farPixelsPer[unit] ?? 1) <= -500;
}

/** Nothing, or so little that it cannot be seen. */
function isZero(value: string): boolean {
  return /^[\d.]+(?:px|pt|em|rem|%|vh|vw)?$/.test(value) && Number.parseFloat(value) < 0.06;
}
