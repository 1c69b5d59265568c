// The files of the repository, as the architecture rules see them. Paths start at the root and use
// "/". Each source is parsed once.
import { readdirSync, readFileSync } from "node:fs";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, type ESTree } from "vite";

export const root = fileURLToPath(new URL("../..", import.meta.url));
/** The entries of .gitignore, and .git, which is a file in a linked work tree. */
const ignored = new Set([".git", ".bron", "node_modules", "dist", "coverage"]);
const sourceName = /\.(?:ts|tsx|mts|mjs|js)$/;

export interface ImportReference {
  readonly specifier: string;
  readonly line: number;
  /** The entire declaration vanishes when types are stripped. */
  readonly isTypeOnly: boolean;
  /** The repository path that a relative specifier leads to. */
  readonly target: string | undefined;
}

interface FoundNode {
  readonly node: ESTree.Node;
  readonly parent: ESTree.Node | undefined;
  /** The parent's property that holds the node. */
  readonly key: string;
}

export interface SourceFile {
  readonly path: string;
  readonly nodes: FoundNode[];
  readonly imports: readonly ImportReference[];
  /** Lines with code on them. Blank lines and comments are not counted. */
  readonly codeLines: number;
  readonly lineOf: (node: { readonly start: number }) => number;
}

export function listFiles(folder = ""): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = posix.join(folder, entry.name);
    if (ignored.has(entry.name)) return [];
    if (entry.isDirectory()) return listFiles(path);
    return entry.isFile() ? [path] : [];
  });
}

export function readText(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

export function readSources(paths: readonly string[]): SourceFile[] {
  return paths
    .filter((path) => sourceName.test(path))
    .map((path) => parseSource(path, readText(path)));
}

export function parseSource(path: string, text: string): SourceFile {
  const { program, comments } = parseSync(path, text);
  const lineOf = createLineFinder(text);
  const nodes = collectNodes([], { node: program, parent: undefined, key: "" });
  const imports = nodes.flatMap(({ node }) => {
    const found = importOf(node);
    if (!found) return [];
    const { specifier } = found;
    const target = specifier.startsWith(".")
      ? posix.join(posix.dirname(path), specifier)
      : undefined;
    return [{ ...found, line: lineOf(node), target }];
  });
  return { path, nodes, imports, codeLines: countCodeLines(text, comments), lineOf };
}

function importOf(node: ESTree.Node): { specifier: string; isTypeOnly: boolean } | undefined {
  switch (node.type) {
    case "ImportDeclaration":
      return { specifier: node.source.value, isTypeOnly: node.importKind === "type" };
    case "ExportAllDeclaration":
      return { specifier: node.source.value, isTypeOnly: node.exportKind === "type" };
    case "ExportNamedDeclaration":
      return node.source
        ? { specifier: node.source.value, isTypeOnly: node.exportKind === "type" }
        : undefined;
    case "TSImportType":
      return { specifier: node.source.value, isTypeOnly: true };
    case "ImportExpression":
      return node.source.type === "Literal" && typeof node.source.value === "string"
        ? { specifier: node.source.value, isTypeOnly: false }
        : undefined;
    default:
      return undefined;
  }
}

/** Adds the node and all nodes below it. A generator for each level takes several times as long. */
function collectNodes(found: FoundNode[], one: FoundNode): FoundNode[] {
  const { node } = one;
  found.push(one);
  for (const [childKey, value] of Object.entries(node) as [string, unknown][]) {
    if (Array.isArray(value)) {
      for (const child of value as unknown[])
        if (isNode(child)) collectNodes(found, { node: child, parent: node, key: childKey });
    } else if (isNode(value)) collectNodes(found, { node: value, parent: node, key: childKey });
  }
  return found;
}

function isNode(value: unknown): value is ESTree.Node {
  return (
    typeof value === "object" && value !== null && "type" in value && typeof value.type === "string"
  );
}

function countCodeLines(
  text: string,
  comments: readonly { readonly start: number; readonly end: number }[],
): number {
  let code = "";
  let end = 0;
  for (const comment of comments) {
    code +=
      text.slice(end, comment.start) + text.slice(comment.start, comment.end).replace(/[^\n]/g, "");
    end = comment.end;
  }
  return (code + text.slice(end)).split("\n").filter((line) => line.trim() !== "").length;
}

function createLineFinder(text: string): SourceFile["lineOf"] {
  const starts = [0, ...Array.from(text.matchAll(/\n/g), (match) => match.index + 1)];
  return ({ start }) => starts.findLastIndex((lineStart) => lineStart <= start) + 1;
}
