import { allParts, partText, type MimePart } from "./parse-mime.ts";

/** What a person reads of a message: its plain text, or its HTML without the marks. Attachments are left out. */
export function messageText(root: MimePart): string {
  const leaves = allParts(root).filter((part) => part.parts.length === 0 && part.filename === "");
  const plain = leaves.filter((part) => part.mimeType === "text/plain");
  if (plain.length > 0) return plain.map(partText).join("\n");
  return leaves.filter((part) => part.mimeType === "text/html").map((part) => htmlText(partText(part))).join("\n");
}

/** Gmail's snippet: the beginning in one line, escaped for HTML. */
export function snippetOf(text: string): string {
  const line = text.replace(/\s+/g, " ").trim();
  const cut = line.length <= 200 ? line : line.slice(0, 200).replace(/\s\S*$/, "");
  return cut.replace(/[&<>"']/g, (character) => escapes[character] ?? character);
}

const escapes: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", euro: "€", ndash: "–", mdash: "—" };

function htmlText(html: string): string {
  return html
    .replace(/<(script|style|head)\b[\s\S]*?<\/\1>/gi, " ")
    .replace(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d)\b[^>]*>/gi, "\n")
    .replace(/<[^>]*>/g, " ")
    .replace(/&(#x?[0-9a-f]+|\w+);/gi, (whole, name: string) => {
      if (!name.startsWith("#")) return entities[name.toLowerCase()] ?? whole;
      const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
      return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    });
}
