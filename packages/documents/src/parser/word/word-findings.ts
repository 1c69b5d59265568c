import { readZipText } from "../zip-entry.ts";
import type { ZipEntry } from "../zip-directory.ts";
import { readWordPart } from "./read-part.ts";
import { readStyles } from "./run-look.ts";
import { withUsualPrefix } from "./word-xml.ts";

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
const excerptCharacters = 200;

/** Looks through the parts of the archive for what a person should know of. */
export function findInWord(bytes: Uint8Array, entries: readonly ZipEntry[]): WordFindings {
  const texts = (pattern: RegExp, maxBytes: number) =>
    entries
      .filter(({ name }) => pattern.test(name))
      .slice(0, 20)
      .flatMap((entry) => readZipText(bytes, entry, maxBytes) ?? []);
  const parts = (pattern: RegExp, maxBytes: number) =>
    texts(pattern, maxBytes).map(withUsualPrefix);
  const styles = readStyles(parts(/^word\/styles\d*\.xml$/, maxPartBytes).join(""));
  const bodies = parts(/^word\/(?:document|footnotes|endnotes)\d*\.xml$/, maxPartBytes);
  const body = bodies.join("");
  const running = (pattern: RegExp) =>
    parts(pattern, maxSmallPartBytes).map((xml) => readWordPart(xml, styles));
  const [headers, footers] = [running(/^word\/header\d*\.xml$/), running(/^word\/footer\d*\.xml$/)];
  const warnings = [
    macroWarning(entries),
    externalWarning(texts(/\.rels$/, maxSmallPartBytes)),
    hiddenWarning(
      bodies.map((xml) => readWordPart(xml, styles).hidden),
      "It is part of the text here.",
    ),
    hiddenWarning(
      [...headers, ...footers].map(({ hidden }) => hidden),
      "It stands in its running heads, and was left out.",
    ),
    /<w:(?:del|moveFrom)[\s>]/.test(body)
      ? "It holds tracked deletions. What was deleted is not part of the text here."
      : undefined,
    /<w:(?:ins|moveTo)[\s>]/.test(body)
      ? "It holds tracked insertions that nobody has accepted yet. They are part of the text here."
      : undefined,
    entries.some(({ name }) => name.startsWith("word/comments"))
      ? "It holds comments, which are not part of the text here."
      : undefined,
    entries.some(({ name }) => name.startsWith("word/embeddings/"))
      ? "It holds embedded objects, which are not read."
      : undefined,
  ].filter((warning) => warning !== undefined);
  const seenOf = (all: typeof headers) => [
    ...new Set(all.map(({ seen }) => seen).filter((text) => text !== "")),
  ];
  return { warnings, headers: seenOf(headers), footers: seenOf(footers) };
}

function hiddenWarning(found: readonly string[], where: string): string | undefined {
  const words = found.join(" ").replace(/\s+/g, " ").trim();
  if (words === "") return undefined;
  return `It holds hidden text, which a person would not see (${words.length.toLocaleString("en")} characters). ${where} It begins, as hidden text: "${words.slice(0, excerptCharacters)}"`;
}

function macroWarning(entries: readonly ZipEntry[]): string | undefined {
  return entries.some(({ name }) => /vbaProject\.bin$/i.test(name))
    ? "It holds macros. They were not run and are not read; do not let anybody run them."
    : undefined;
}

/** A link that a reader clicks is no danger by itself; what Word would fetch on its own is. */
function externalWarning(relationships: readonly string[]): string | undefined {
  const external = relationships
    .flatMap((xml) => xml.match(/<Relationship\s[^>]*>/g) ?? [])
    .filter(
      (one) => /TargetMode\s*=\s*["']External["']/i.test(one) && !/\/hyperlink["']/i.test(one),
    );
  if (external.length === 0) return undefined;
  const targets = external
    .slice(0, maxNamedTargets)
    .map(
      (one) =>
        `${/Type\s*=\s*["'][^"']*\/([\w]+)["']/i.exec(one)?.[1] ?? "part"} ${(/Target\s*=\s*["']([^"']*)["']/i.exec(one)?.[1] ?? "").slice(0, 200)}`,
    );
  return `It refers to ${external.length === 1 ? "a part" : `${external.length} parts`} outside of itself (${targets.join("; ")}), which Word would fetch. Nothing was fetched.`;
}
