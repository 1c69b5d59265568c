const entities: Readonly<Record<string, string>> = {
  "&nbsp;": " ",
  "&lt;": "<",
  "&gt;": ">",
  "&quot;": '"',
  "&amp;": "&",
};

/** A stretch of HTML that something else takes the place of, from an opening to the first closing after it. */
interface Stretch {
  /** Global. */
  readonly opening: RegExp;
  /** Global. Undefined if what was opened has none. */
  readonly closingOf: (opened: RegExpExecArray) => RegExp | undefined;
  readonly replacement: string;
}

/**
 * What a person would read of it, in time linear in its length. `isCut`: the text was cut off at its end, so what is open there
 * (a script, a comment, a tag) is left out; otherwise what is never closed counts as text.
 */
export function wordsOf(
  html: string,
  { isCut = false }: { readonly isCut?: boolean } = {},
): string {
  return stretches()
    .reduce((text, stretch) => replaceStretches(text, stretch, isCut), html)
    .replaceAll(/&(?:nbsp|lt|gt|quot|amp);/g, (entity) => entities[entity] ?? entity)
    .replaceAll(/[ \t]+/g, " ")
    .replaceAll(/\s+/g, (space) => (space.includes("\n") ? "\n" : space));
}

/** In the order in which they are replaced. Made for each text, since the patterns keep their place in it. */
function stretches(): Stretch[] {
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

/** A closing that is not there is not looked for again: searched for at each opening, it would take the square of the time. */
function replaceStretches(
  html: string,
  { opening, closingOf, replacement }: Stretch,
  isCut: boolean,
): string {
  const kept: string[] = [];
  const missing = new Set<RegExp>();
  let from = 0;
  for (let opened = opening.exec(html); opened; opened = opening.exec(html)) {
    const closing = closingOf(opened);
    if (!closing || missing.has(closing)) continue;
    closing.lastIndex = opening.lastIndex;
    const end = closing.test(html) ? closing.lastIndex : isCut ? html.length : -1;
    if (end === -1) missing.add(closing);
    else {
      kept.push(html.slice(from, opened.index), replacement);
      from = opening.lastIndex = end;
    }
  }
  kept.push(html.slice(from));
  return kept.join("");
}
