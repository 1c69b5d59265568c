/**
 * Pieces of hostile texts. Each one has made some pattern, or a function of the JavaScript engine,
 * take quadratic time.
 */
const pieces = {
  any: ["a", " ", "\n", "1", "\\", "a ", "中", "\ud800", "\u0301\u0316", "\uff9e\u0301"],
  names: [
    "@",
    ".",
    ":",
    "a.",
    "a@",
    "a@b.cc ",
    "a.b/ ",
    "http://",
    "http://a ",
    "www.1é",
    "éa.",
    ".aa",
    "//a",
    ":/",
    "xn--",
    "&amp",
    "\u00ad",
    ["http://", "a", ""],
    ["http://", "é", ""],
    ["a@", "b.", "cc"],
  ],
  html: [
    "<",
    "&",
    "&amp",
    "<a ",
    "<br",
    "<!--",
    "<script>",
    "</p",
    "href=",
    'href="',
    "url(",
    "\u00a0",
    ["<", "a", ""],
    ["<style>", "a ", ""],
  ],
  lines: [
    '"',
    "<",
    "(",
    "=?a?",
    "a,",
    "\u200d",
    "\u00ad",
    "<@A",
    ["a", " ", "b"],
    ['"', "\\a", '" <a@b.cc>'],
    ["=?", "a", ""],
  ],
  numbers: ["1,", "1.1 ", "1-1-", "1 111 ", "-", "may "],
} as const;

export type TextKind = keyof typeof pieces;

interface HostileText {
  readonly name: string;
  ofLength(length: number): string;
}

export function hostileTexts(kinds: readonly TextKind[]): HostileText[] {
  return [
    ...new Set(kinds.flatMap((kind): readonly (string | readonly string[])[] => pieces[kind])),
  ].map((piece) => {
    const [before = "", middle = "", after = ""] =
      typeof piece === "string" ? ["", piece, ""] : piece;
    return {
      name: JSON.stringify(piece),
      ofLength: (length) => `${before}${middle.repeat(Math.ceil(length / middle.length))}${after}`,
    };
  });
}
