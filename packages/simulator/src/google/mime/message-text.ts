import { allParts, partText, type MimePart } from "./parse-mime.ts";

/**
 * The readable text of a message: its plain text, or its HTML without tags. Attachments are left
 * out.
 */
export function messageText(root: MimePart): string {
  const leaves = allParts(root).filter((part) => part.parts.length === 0 && part.filename === "");
  const plain = leaves.filter((part) => part.mimeType === "text/plain");
  if (plain.length > 0) return plain.map(partText).join("\n");
  return leaves
    .filter((part) => part.mimeType === "text/html")
    .map((part) => htmlText(partText(part)))
    .join("\n");
}

/** Gmail's snippet: the start of the text in one line, escaped for HTML. */
export function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const cut = line.length <= 200 ? line : line.slice(0, 200).replace(/\s\S*$/, "");
  return cut.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  euro: "€",
  ndash: "–",
  mdash: "—",
};

/** In the demo this runs in the server's process, so it takes linear time for any input. */
export function htmlText(html: string): string {
  return withoutTags(html).replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
    if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

const hiddenElement = /^<(script|style|head)\b/;
const lineBreak = /^<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b/;
/** Longer than any tag name that matters. */
const nameCharacters = 10;

function withoutTags(html: string): string {
  // Only ASCII is lowercased, so positions stay the same.
  const lower = html.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
  const unclosed = new Set<string>();
  const pieces: string[] = [];
  let at = 0;
  for (let opening = html.indexOf("<"); opening !== -1; opening = html.indexOf("<", at)) {
    pieces.push(html.slice(at, opening));
    const name = lower.slice(opening, opening + nameCharacters);
    const hidden = hiddenElement.exec(name)?.[1];
    const end =
      hidden === undefined || unclosed.has(hidden) ? -1 : lower.indexOf(`</${hidden}>`, opening);
    if (hidden !== undefined && end === -1) unclosed.add(hidden);
    const closing = end === -1 ? html.indexOf(">", opening) : end + `</${hidden}>`.length - 1;
    if (closing === -1) return [...pieces, html.slice(opening)].join("");
    pieces.push(end === -1 && lineBreak.test(name) ? "\n" : " ");
    at = closing + 1;
  }
  return [...pieces, html.slice(at)].join("");
}
