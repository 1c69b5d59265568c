const entities: Readonly<Record<string, string>> = {
  "&nbsp;": " ",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};

/** A region of HTML to replace, from an opening match to the first closing match after it. */
interface Region {
  /** Must be global. */
  readonly opening: RegExp;
  /** Must be global. Undefined if this opening has no closing. */
  readonly closingOf: (opened: RegExpExecArray) => RegExp | undefined;
  readonly replacement: string;
}

/**
 * Extracts the readable text in linear time. With `isCut`, the HTML was truncated, so a script,
 * comment or tag that is still open at the end is dropped. Otherwise an unclosed opening counts as
 * text.
 */
export function htmlToText(
  html: string,
  { isCut = false }: { readonly isCut?: boolean } = {},
): string {
  return regions()
    .reduce((text, region) => replaceRegions(text, region, isCut), html)
    .replaceAll(/&(?:nbsp|lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/\s+/g, (space) => (space.includes("\n") ? "\n" : space));
}

/**
 * In order of replacement. Created for each text, because global patterns keep their position in
 * `lastIndex`.
 */
function regions(): Region[] {
  const ends: Readonly<Record<string, RegExp>> = {
    script: /<\/script\s*>/gi,
    style: /<\/style\s*>/gi,
    title: /<\/title\s*>/gi,
  };
  const [commentEnd, tagEnd] = [/--!?>/g, />/g];
  return [
    {
      opening: /<(script|style|title)\b/gi,
      closingOf: ([, name = ""]) => ends[name.toLowerCase()],
      replacement: " ",
    },
    { opening: /<!--/g, closingOf: () => commentEnd, replacement: " " },
    {
      opening: /<(?:br|\/p|\/div|\/tr|\/h\d|\/li)\b/gi,
      closingOf: () => tagEnd,
      replacement: "\n",
    },
    { opening: /</g, closingOf: () => tagEnd, replacement: " " },
  ];
}

/**
 * Remembers closings that do not exist. Searching for them again at each opening would take
 * quadratic time.
 */
function replaceRegions(
  html: string,
  { opening, closingOf, replacement }: Region,
  isCut: boolean,
): string {
  const pieces: string[] = [];
  const missing = new Set<RegExp>();
  let from = 0;
  for (let opened = opening.exec(html); opened; opened = opening.exec(html)) {
    const closing = closingOf(opened);
    if (!closing || missing.has(closing)) continue;
    closing.lastIndex = opening.lastIndex;
    const end = closing.test(html) ? closing.lastIndex : isCut ? html.length : -1;
    if (end === -1) missing.add(closing);
    else {
      pieces.push(html.slice(from, opened.index), replacement);
      from = opening.lastIndex = end;
    }
  }
  pieces.push(html.slice(from));
  return pieces.join("");
}
