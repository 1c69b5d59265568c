import { readZipText } from "../zip-entry.ts";
import type { ZipEntry } from "../zip-directory.ts";

/** What the text of a Word document does not show. */
export interface WordFindings {
  readonly warnings: readonly string[];
  /** Running heads and feet, which the body does not hold. */
  readonly headers: readonly string[];
  readonly footers: readonly string[];
}

const maxPartBytes = 64 * 1024 * 1024;
const maxSmallPartBytes = 1024 * 1024;
const maxNamedTargets = 3;

/** Looks through the parts of the archive for what a person should know of. */
export function findInWord(bytes: Uint8Array, entries: readonly ZipEntry[]): WordFindings {
  const texts = (pattern: RegExp, maxBytes: number) => entries.filter(({ name }) => pattern.test(name)).slice(0, 20).flatMap((entry) => readZipText(bytes, entry, maxBytes) ?? []);
  const body = texts(/^word\/document\d*\.xml$/, maxPartBytes).join("");
  const warnings = [
    macroWarning(entries),
    externalWarning(texts(/\.rels$/, maxSmallPartBytes)),
    hasElement(body, "vanish") || hasElement(body, "specVanish") ? "It holds hidden text, which Word does not show. It is part of the text here." : undefined,
    /<w:(?:del|moveFrom)[\s>]/.test(body) ? "It holds tracked deletions. What was deleted is not part of the text here." : undefined,
    /<w:(?:ins|moveTo)[\s>]/.test(body) ? "It holds tracked insertions that nobody has accepted yet. They are part of the text here." : undefined,
    entries.some(({ name }) => name.startsWith("word/comments")) ? "It holds comments, which are not part of the text here." : undefined,
    entries.some(({ name }) => name.startsWith("word/embeddings/")) ? "It holds embedded objects, which are not read." : undefined,
  ].filter((warning) => warning !== undefined);
  const plain = (pattern: RegExp) => [...new Set(texts(pattern, maxSmallPartBytes).map(plainText).filter((text) => text !== ""))];
  return { warnings, headers: plain(/^word\/header\d*\.xml$/), footers: plain(/^word\/footer\d*\.xml$/) };
}

function macroWarning(entries: readonly ZipEntry[]): string | undefined {
  return entries.some(({ name }) => /vbaProject\.bin$/i.test(name)) ? "It holds macros. They were not run and are not read; do not let anybody run them." : undefined;
}

/** A link that a reader clicks is no danger by itself; what Word would fetch on its own is. */
function externalWarning(relationships: readonly string[]): string | undefined {
  const external = relationships
    .flatMap((xml) => xml.match(/<Relationship\s[^>]*>/g) ?? [])
    .filter((one) => /TargetMode\s*=\s*["']External["']/i.test(one) && !/\/hyperlink["']/i.test(one));
  if (external.length === 0) return undefined;
  const targets = external.slice(0, maxNamedTargets).map((one) => `${/Type\s*=\s*["'][^"']*\/([\w]+)["']/i.exec(one)?.[1] ?? "part"} ${(/Target\s*=\s*["']([^"']*)["']/i.exec(one)?.[1] ?? "").slice(0, 200)}`);
  return `It refers to ${external.length === 1 ? "a part" : `${external.length} parts`} outside of itself (${targets.join("; ")}), which Word would fetch. Nothing was fetched.`;
}

/** On, unless it is said to be off. */
function hasElement(xml: string, name: string): boolean {
  return new RegExp(`<w:${name}(?:\\s*/?>|\\s(?![^>]*w:val=["'](?:0|false|off)["'])[^>]*>)`).test(xml);
}

function plainText(xml: string): string {
  const lines = xml.split(/<\/w:p>/).map((paragraph) => [...paragraph.matchAll(/<w:t(?:\s[^>]*)?>([^<]*)<\/w:t>|<w:(tab|br)\b/g)].map(([, text, gap]) => (gap === undefined ? decodeEntities(text ?? "") : " ")).join("").trim());
  return lines.filter((line) => line !== "").join("\n");
}

const entities: Readonly<Partial<Record<string, string>>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function decodeEntities(text: string): string {
  return text.replace(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (whole, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
    if (name !== undefined) return entities[name] ?? whole;
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
