/** Red, green, blue, each from 0 to 255. */
export type Colour = readonly [number, number, number];

const named: Readonly<Partial<Record<string, Colour>>> = { white: [255, 255, 255], black: [0, 0, 0], snow: [255, 250, 250], ivory: [255, 255, 240], whitesmoke: [245, 245, 245], ghostwhite: [248, 248, 255] };

/** Closer than this, letters cannot be told from what is behind them. */
const sameDistance = 12;
/** Below this, nothing is seen of a colour. */
const leastAlpha = 0.06;

/** "transparent" if nothing is seen of it; undefined if it is not understood. */
export function parseColour(written: string): Colour | "transparent" | undefined {
  const text = written.trim().toLowerCase();
  if (text === "transparent") return "transparent";
  const [, hex, alpha] = /^#([0-9a-f]{3}|[0-9a-f]{6})([0-9a-f]{2})?$/.exec(text) ?? [];
  if (hex !== undefined) {
    if (alpha !== undefined && Number.parseInt(alpha, 16) / 255 < leastAlpha) return "transparent";
    const full = hex.length === 3 ? hex.replace(/./g, "$&$&") : hex;
    const [red = 0, green = 0, blue = 0] = [full.slice(0, 2), full.slice(2, 4), full.slice(4)].map((digits) => Number.parseInt(digits, 16));
    return [red, green, blue];
  }
  const parts = /^rgba?\(\s*(\d+)[\s,]+(\d+)[\s,]+(\d+)(?:[\s,/]+([\d.]+)(%?))?\s*\)$/.exec(text);
  if (!parts) return named[text];
  if (parts[4] !== undefined && Number(parts[4]) / (parts[5] === "%" ? 100 : 1) < leastAlpha) return "transparent";
  return [Number(parts[1]), Number(parts[2]), Number(parts[3])];
}

export function looksAlike(one: Colour, other: Colour): boolean {
  return one.every((part, index) => Math.abs(part - (other[index] ?? 0)) <= sameDistance);
}
