/** Five columns per letter. The lowest bit is the top pixel. */
const glyphs: Readonly<Record<string, string>> = {
  A: "7e1111117e",
  B: "7f49494936",
  C: "3e41414122",
  D: "7f4141413e",
  E: "7f49494941",
  F: "7f09090901",
  G: "3e4149497a",
  H: "7f0808087f",
  I: "00417f4100",
  J: "2040413f01",
  K: "7f08142241",
  L: "7f40404040",
  M: "7f020c027f",
  N: "7f0408107f",
  O: "3e4141413e",
  P: "7f09090906",
  Q: "3e4151215e",
  R: "7f09192946",
  S: "4649494931",
  T: "01017f0101",
  U: "3f4040403f",
  V: "1f2040201f",
  W: "3f4038403f",
  X: "6314081463",
  Y: "0708700807",
  Z: "6151494543",
  "0": "3e5149453e",
  "1": "00427f4000",
  "2": "4261514946",
  "3": "2141454b31",
  "4": "1814127f10",
  "5": "2745454539",
  "6": "3c4a494930",
  "7": "0171090503",
  "8": "3649494936",
  "9": "064949291e",
  ".": "0060600000",
  ",": "0050300000",
  ":": "0036360000",
  "-": "0808080808",
  "/": "2010080402",
  "%": "2313086462",
};

export interface Bitmap {
  readonly width: number;
  readonly height: number;
  /** One byte per pixel. 0 is black. */
  readonly pixels: Uint8Array;
}

/** Renders lines of capitals like a scan: gray paper with a little noise. */
export function bitmapText(lines: readonly string[], scale: number): Bitmap {
  const columns = Math.max(...lines.map(({ length }) => length)) * 6 + 20;
  const [width, height] = [columns * scale, (lines.length * 12 + 20) * scale];
  const pixels = Uint8Array.from(
    { length: width * height },
    (_, at) => 232 + ((at * 7919 + (at >> 5) * 104_729) % 17),
  );
  const dot = (x: number, y: number) => {
    for (let row = y * scale; row < (y + 1) * scale; row += 1)
      pixels.fill(30, row * width + x * scale, row * width + (x + 1) * scale);
  };
  for (const [row, line] of lines.entries()) {
    for (const [column, letter] of Array.from(line.toUpperCase()).entries()) {
      const glyph = Buffer.from(glyphs[letter] ?? "", "hex");
      for (const [x, bits] of glyph.entries())
        for (let y = 0; y < 7; y += 1)
          if ((bits >> y) & 1) dot(10 + column * 6 + x, 10 + row * 12 + y);
    }
  }
  return { width, height, pixels };
}
