import { parseColor } from "./color.ts";
import type { Declarations } from "./css.ts";

const noArea = /rect\(\s*[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?[\s,]+[01](?:px)?\s*\)/;
const sides = ["left", "top", "right", "bottom", "inset", "text-indent"];
const margins = ["margin", "margin-left", "margin-top"];
/** Below this scale, content is invisible. */
const minScale = 0.06;

/** Whether the style hides an element with all of its content. */
export function hidesAll(style: Declarations): boolean {
  if (style.size === 0) return false;
  const value = (property: string) => style.get(property) ?? "";
  if (
    value("display") === "none" ||
    value("content-visibility") === "hidden" ||
    value("mso-hide") === "all"
  )
    return true;
  if (isZero(value("opacity")) || /opacity\(\s*0?(?:\.0\d*)?%?\s*\)/.test(value("filter")))
    return true;
  const isCut = ["overflow", "overflow-x", "overflow-y"].some((property) =>
    /^hidden|^clip/.test(value(property)),
  );
  // Scrollable content is reachable, unless the box has no size.
  const scrolls = ["overflow", "overflow-x", "overflow-y"].some((property) =>
    /^auto|^scroll/.test(value(property)),
  );
  if (
    scrolls &&
    ["height", "max-height", "width", "max-width"].some((property) => isZero(value(property)))
  )
    return true;
  if (
    isCut &&
    ["height", "max-height", "width", "max-width"].some(
      (property) => isZero(value(property)) || /^[01](?:\.\d+)?px$/.test(value(property)),
    )
  )
    return true;
  if (
    sides.some((side) => isFarAway(value(side))) ||
    margins.some((side) =>
      value(side)
        .split(/\s+/)
        .some((margin) => !margin.endsWith("%") && isFarAway(margin)),
    )
  )
    return true;
  if (
    noArea.test(value("clip")) ||
    /inset\(\s*(?:50|100)%|circle\(\s*0/.test(value("clip-path")) ||
    isNoShape(value("clip-path"))
  )
    return true;
  if (isSqueezed(value("letter-spacing")) || isZero(value("zoom"))) return true;
  const [, scale] = /scale(?:3d|x|y)?\(\s*([\d.]+)/.exec(value("transform")) ?? [];
  return (
    isZero(value("scale")) ||
    (scale !== undefined && Number(scale) < minScale) ||
    /translate\w*\([^)]*-(?:\d{4}|\d{3,}(?:vw|vh|r?em|%))/.test(value("transform"))
  );
}

/** A polygon whose corners are all the same. */
function isNoShape(clipPath: string): boolean {
  const [, corners] = /polygon\(([^)]*)\)/.exec(clipPath) ?? [];
  return (
    corners !== undefined && new Set(corners.split(",").map((corner) => corner.trim())).size === 1
  );
}

/** Letters that overlap in one place. */
function isSqueezed(spacing: string): boolean {
  const [, number, unit = ""] = /^(-[\d.]+)(em|px)$/.exec(spacing) ?? [];
  return number !== undefined && Number(number) <= (unit === "em" ? -0.5 : -8);
}

const notComputed = /\b(?:var|calc|min|max|clamp|env|attr)\(/;
const visibilityProperties = [
  "display",
  "visibility",
  "opacity",
  "font-size",
  "content-visibility",
  "zoom",
  "scale",
];

/** Whether a property that affects visibility has a value that is not understood. */
export function isUnclear(style: Declarations): boolean {
  if (visibilityProperties.some((property) => notComputed.test(style.get(property) ?? "")))
    return true;
  const color = style.get("-webkit-text-fill-color") ?? style.get("color") ?? "";
  if (color.includes("(") && parseColor(color) === undefined) return true;
  const mask =
    style.get("mask") ??
    style.get("-webkit-mask") ??
    style.get("mask-image") ??
    style.get("-webkit-mask-image") ??
    "none";
  return mask !== "none" || /(?:path|url|shape)\(/.test(style.get("clip-path") ?? "");
}

/** Whether the style could hide text in any way. */
export function couldHide(style: Declarations): boolean {
  const isGone = ["hidden", "collapse"].includes(style.get("visibility") ?? "");
  return (
    hidesAll(style) ||
    isUnclear(style) ||
    isGone ||
    isTinySize(style.get("font-size"), false) ||
    parseColor(style.get("color") ?? "") === "transparent"
  );
}

const pixelsPer: Readonly<Partial<Record<string, number>>> = {
  px: 1,
  pt: 4 / 3,
  pc: 16,
  em: 16,
  rem: 16,
  ex: 8,
  ch: 8,
  "%": 0.16,
  vw: 4,
  vh: 8,
  in: 96,
  cm: 38,
  mm: 3.8,
};
const minPixels = 3;

export function isTinySize(size: string | undefined, isOuterTiny: boolean): boolean {
  if (size === undefined || size === "inherit") return isOuterTiny;
  if (isOuterTiny && /(?<!r)em$|%$/.test(size)) return true;
  const [, number, unit = ""] = /^([\d.]+)([a-z]+|%)?$/.exec(size) ?? [];
  if (number === undefined) return false;
  return unit === "" ? Number(number) === 0 : Number(number) * (pixelsPer[unit] ?? 1) < minPixels;
}

const farPixelsPer: Readonly<Partial<Record<string, number>>> = {
  ...pixelsPer,
  em: 10,
  rem: 10,
  vw: 5,
  vh: 5,
  "%": 5,
};

/** Far outside any screen. */
function isFarAway(value: string): boolean {
  const [, number, unit = "px"] = /(-[\d.]+)([a-z]+|%)?/.exec(value) ?? [];
  return number !== undefined && Number(number) * (farPixelsPer[unit] ?? 1) <= -500;
}

/** Zero, or too small to be seen. */
function isZero(value: string): boolean {
  return /^[\d.]+(?:px|pt|em|rem|%|vh|vw)?$/.test(value) && Number.parseFloat(value) < 0.06;
}
