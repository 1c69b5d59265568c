import { isAcceptedValue } from "./accepted-values.ts";

/** Declarations by property, in lower case. Only the last valid one for each property counts. */
export type Declarations = ReadonlyMap<string, string>;

const maxStyleCharacters = 10_000;

export function parseDeclarations(style: string): {
  readonly all: Declarations;
  readonly important: Declarations;
} {
  const all = new Map<string, string>();
  const important = new Map<string, string>();
  for (const declaration of plainCss(style.slice(0, maxStyleCharacters)).toLowerCase().split(";")) {
    const colon = declaration.indexOf(":");
    if (colon === -1) continue;
    const [property, value] = [
      declaration.slice(0, colon).trim(),
      declaration.slice(colon + 1).trim(),
    ];
    const plain = value.replace(/\s*!\s*important$/, "");
    for (const [name, word] of [
      [property, plain],
      ...(property === "font" ? [["font-size", sizeInFont(plain)] as const] : []),
    ] as const) {
      if (!isAcceptedValue(name, word)) continue;
      all.set(name, word);
      if (plain !== value) important.set(name, word);
    }
  }
  return { all, important };
}

/** Replaces an escaped character that would otherwise be read as CSS syntax. */
const escapedSign = "\u0001";

/**
 * Removes comments, quoted text and escapes of letters, because all of them can hide a keyword from
 * our checks.
 */
export function plainCss(css: string): string {
  return css
    .replace(/\/\*[^]*?(?:\*\/|$)/g, "")
    .replace(
      /\\(?:([0-9a-f]{1,6})\s?|([^]))/gi,
      (_, hex: string | undefined, sign: string | undefined) => {
        const code = Number.parseInt(hex ?? "", 16);
        const letter = sign ?? (code <= 0x10ffff ? String.fromCodePoint(code) : "");
        return /^[\w-]$/.test(letter) ? letter : escapedSign;
      },
    )
    .replace(/"[^"\n]*"|'[^'\n]*'/g, (quoted) => (/^.[\w-]*.$/.test(quoted) ? quoted : '""'));
}

/** `font: italic 0/0 a` */
function sizeInFont(font: string): string {
  const sizes = font.split(/\s+/).map((word) => word.split("/", 1).join(""));
  return sizes.find((word) => /^(?:0|[\d.]+(?:[a-z]+|%))$/.test(word)) ?? "medium";
}
