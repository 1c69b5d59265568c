/** Red, green, blue, each from 0 to 255. */
export type Color = readonly [number, number, number];

const named: Readonly<Partial<Record<string, Color>>> = {
  white: [255, 255, 255],
  black: [0, 0, 0],
  snow: [255, 250, 250],
  ivory: [255, 255, 240],
  whitesmoke: [245, 245, 245],
  ghostwhite: [248, 248, 255],
  mintcream: [245, 255, 250],
};

/** Text closer than this to its background is unreadable. */
const sameDistance = 12;
/** Below this, a color is invisible. */
const minAlpha = 0.06;

/** "transparent" if it is invisible, undefined if it is not understood. */
export function parseColor(written: string): Color | "transparent" | undefined {
  const text = written.trim().toLowerCase();
  if (text === "transparent") return "transparent";
  const [, hex] = /^#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(text) ?? [];
  if (hex !== undefined) {
    const [red = 0, green = 0, blue = 0, alpha = 255] =
      (hex.length <= 4 ? hex.replace(/./g, "$&$&") : hex)
        .match(/../g)
        ?.map((digits) => Number.parseInt(digits, 16)) ?? [];
    return alpha / 255 < minAlpha ? "transparent" : [red, green, blue];
  }
  const light = /^light-dark\(((?:[^(),]|\([^()]*\))+),/.exec(text)?.[1];
  if (light !== undefined) return parseColor(light);
  const wide = wideColor(text);
  if (wide !== undefined) return wide;
  const [, name, first = "", second = "", third = "", alpha] =
    /^(rgb|hsl)a?\(\s*([\d.]+(?:%|deg)?)[\s,]+([\d.]+%?)[\s,]+([\d.]+%?)(?:[\s,/]+([\d.]+%?))?\s*\)$/.exec(
      text,
    ) ?? [];
  if (name === undefined) return named[text];
  if (alpha !== undefined && share(alpha, 1) < minAlpha) return "transparent";
  if (name === "rgb")
    return [share(first, 255) * 255, share(second, 255) * 255, share(third, 255) * 255];
  return fromHsl(Number.parseFloat(first), share(second, 100), share(third, 100));
}

/** Recognizes only white and black in the newer notations. */
function wideColor(text: string): Color | "transparent" | undefined {
  const [, name = "", inner = ""] =
    /^(oklch|oklab|lch|lab|hwb|color)\(([^()]*)\)$/.exec(text) ?? [];
  const [parts = "", alpha] = inner.split("/");
  const numbers = parts.trim().split(/\s+/);
  if (name === "" || numbers.length < 3) return undefined;
  if (alpha !== undefined && share(alpha.trim(), 1) < minAlpha) return "transparent";
  if (name === "color")
    return numbers.length === 4
      ? [
          share(numbers[1] ?? "", 1) * 255,
          share(numbers[2] ?? "", 1) * 255,
          share(numbers[3] ?? "", 1) * 255,
        ]
      : undefined;
  const lightness =
    name === "hwb"
      ? (share(numbers[1] ?? "", 100) + 1 - share(numbers[2] ?? "", 100)) / 2
      : share(numbers[0] ?? "", name.startsWith("ok") ? 1 : 100);
  if (lightness > 0.97) return [255, 255, 255];
  return lightness < 0.03 ? [0, 0, 0] : [128, 128, 128];
}

/** Converts a percentage, or a number out of `total`, to a value from 0 to 1. */
function share(text: string, total: number): number {
  return Math.min(1, Number.parseFloat(text) / (text.endsWith("%") ? 100 : total));
}

function fromHsl(hue: number, saturation: number, lightness: number): Color {
  const part = (offset: number) => {
    const turn = (offset + hue / 30) % 12;
    return (
      255 *
      (lightness -
        saturation *
          Math.min(lightness, 1 - lightness) *
          Math.max(-1, Math.min(turn - 3, 9 - turn, 1)))
    );
  };
  return [part(0), part(8), part(4)];
}

export function looksAlike(one: Color, other: Color): boolean {
  return one.every((part, index) => Math.abs(part - (other[index] ?? 0)) <= sameDistance);
}
