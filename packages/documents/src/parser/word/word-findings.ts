import { readZipText } from "../zip-entry.ts";
import type { ZipEntry } from "../zip-directory.ts";
import { readWordPart } from "./read-part.ts";
import { readStyles } from "./run-appearance.ts";
import { withUsualPrefix } from "./word-xml.ts";

/** What the text of a Word document does not show. */
interface WordFindings {
  readonly warnings: readonly string[];
  /** Headers and footers, which the body does not contain. */
  readonly headers: readonly string[];
  readonly footers: readonly string[];
}

const maxPartBytes = 64 * 1024 * 1024;
const maxSmallPartBytes = 1024 * 1024;
const maxNamedTargets = 3;
const excerptCharacters = 200;

/** Searches the parts of the archive for things that a person should know. */
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
  const readParts = (pattern: RegExp) =>
    parts(pattern, maxSmallPartBytes).map((xml) => readWordPart(xml, styles));
  const [headers, footers] = [
    readParts(/^word\/header\d*\.xml$/),
    readParts(/^word\/footer\d*\.xml$/),
  ];
  const warnings = [
    macroWarning(entries),
    externalWarning(texts(/\.rels$/, maxSmallPartBytes)),
    hiddenWarning(
      bodies.map((xml) => readWordPart(xml, styles).hidden),
      "The text here includes it.",
    ),
    hiddenWarning(
      [...headers, ...footers].map(({ hidden }) => hidden),
      "It is in headers or footers and was left out.",
    ),
    /<w:(?:del|moveFrom)[\s>]/.test(body)
      ? "The document contains tracked deletions. The text here does not include deleted text."
      : undefined,
    /<w:(?:ins|moveTo)[\s>]/.test(body)
      ? "The document contains tracked insertions that have not been accepted. The text here includes them."
      : undefined,
    entries.some(({ name }) => name.startsWith("word/comments"))
      ? "The document contains comments. The text here does not include them."
      : undefined,
    entries.some(({ name }) => name.startsWith("word/embeddings/"))
      ? "The document contains embedded objects, which are not read."
      : undefined,
  ].filter((warning) => warning !== undefined);
  const visibleTextsOf = (all: typeof headers) => [
    ...new Set(all.map(({ seen }) => seen).filter((text) => text !== "")),
  ];
  return { warnings, headers: visibleTextsOf(headers), footers: visibleTextsOf(footers) };
}

function hiddenWarning(found: readonly string[], where: string): string | undefined {
  const words = found.join(" ").replace(/\s+/g, " ").trim();
  if (words === "") return undefined;
  return `The document contains hidden text that a person would not see (${words.length.toLocaleString("en")} characters). ${where} The hidden text starts with: "${words.slice(0, excerptCharacters)}"`;
}

function macroWarning(entries: readonly ZipEntry[]): string | undefined {
  return entries.some(({ name }) => /vbaProject\.bin$/i.test(name))
    ? "The document contains macros. They were neither run nor read. Don't run them."
    : undefined;
}

/**
 * Warns about parts that Word would fetch by itself. Links that a reader clicks are not included.
 */
function externalWarning(relationships: readonly string[]): string | undefined {
  const external = relationships
    .flatMap((xml) => xml.match(/<Relationship\s[^>]*>/g) ?? [])
    .filter(
      (relationship) =>
        /TargetMode\s*=\s*["']External["']/i.test(relationship) &&
        !/\/hyperlink["']/i.test(relationship),
    );
  if (external.length === 0) return undefined;
  const targets = external.slice(0, maxNamedTargets).map((relationship) => {
    const [, type = "part"] = /Type\s*=\s*["'][^"']*\/([\w]+)["']/i.exec(relationship) ?? [];
    const [, target = ""] = /Target\s*=\s*["']([^"']*)["']/i.exec(relationship) ?? [];
    return `${type} ${target.slice(0, 200)}`;
  });
  return `The document refers to ${external.length === 1 ? "an external part" : `${external.length} external parts`} (${targets.join("; ")}), which Word would fetch. Nothing was fetched.`;
}
