// Checks the words of the repository, as docs/glossary.md decides them: names of identifiers and
// files use the project's vocabulary, and all text is spelled the US way.
import { fileURLToPath } from "node:url";
import { parseSync, type ESTree } from "vite";
import { listFiles, readText } from "../test/architecture/source-tree.ts";
import { misspellingsIn, words, type WordRule } from "./vocabulary-rules.ts";

export interface TextFile {
  readonly path: string;
  readonly text: string;
}

/** Returns one line for each name or spelling that breaks a rule. */
export function findProblems(files: readonly TextFile[]): string[] {
  return files.flatMap((file) => [
    ...namesIn(file).flatMap(({ name, line }) => problemsOfName(file.path, name, line)),
    ...misspellings(file),
  ]);
}

function problemsOfName(path: string, name: string, line: number): string[] {
  return wordsOf(name).flatMap((word) => {
    const rule = words[word];
    if (!rule || isAllowed(rule, path, name)) return [];
    return [`${path}:${line} ${name}: say ${rule.instead}, not "${word}"`];
  });
}

/** A rule allows exact names, and path prefixes. */
function isAllowed({ names = [], paths = [] }: WordRule, path: string, name: string): boolean {
  return names.includes(name) || paths.some((prefix) => path.startsWith(prefix));
}

/** Splits `readAnswer_in`, `read-answer` and `HTTPAnswer` into lower-case words. */
function wordsOf(name: string): string[] {
  return name
    .split(/[^A-Za-z]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/)
    .map((word) => word.toLowerCase());
}

/**
 * The names that this repository chooses: those of its files and of the declarations in its
 * sources.
 */
function namesIn({ path, text }: TextFile): { readonly name: string; readonly line: number }[] {
  const found = [{ name: path.replace(/.*\//, "").replace(/\..*/, ""), line: 1 }];
  if (!/\.(?:ts|tsx|mjs)$/.test(path)) return found;
  const lineOf = lineCounter(text);
  walk(parseSync(path, text).program, (node) => {
    for (const declared of declaredBy(node))
      if (declared?.type === "Identifier")
        found.push({ name: declared.name, line: lineOf(declared.start) });
  });
  return found;
}

/** The identifiers that a node declares. Uses are not counted, so a library's names are free. */
function declaredBy(node: ESTree.Node): (ESTree.Node | null)[] {
  switch (node.type) {
    case "VariableDeclarator":
      return bindings(node.id);
    case "FunctionDeclaration":
    case "FunctionExpression":
    case "ArrowFunctionExpression":
      return [node.id, ...node.params.flatMap(bindings)];
    case "ClassDeclaration":
    case "TSInterfaceDeclaration":
    case "TSTypeAliasDeclaration":
      return [node.id];
    case "TSPropertySignature":
    case "TSMethodSignature":
      return node.computed ? [] : [node.key];
    default:
      return [];
  }
}

function bindings(pattern: ESTree.Node | null | undefined): ESTree.Node[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "AssignmentPattern":
      return bindings(pattern.left);
    case "RestElement":
      return bindings(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap(bindings);
    case "ObjectPattern":
      return pattern.properties.flatMap((one) =>
        bindings(one.type === "RestElement" ? one.argument : one.value),
      );
    default:
      return [];
  }
}

function walk(node: unknown, visit: (node: ESTree.Node) => void): void {
  if (node === null || typeof node !== "object") return;
  if (Array.isArray(node)) {
    for (const one of node) walk(one, visit);
    return;
  }
  if ("type" in node && typeof node.type === "string") visit(node as ESTree.Node);
  for (const [key, value] of Object.entries(node)) if (key !== "parent") walk(value, visit);
}

function lineCounter(text: string): (offset: number) => number {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (offset) => {
    let [low, high] = [0, starts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle;
      else high = middle;
    }
    return low + 1;
  };
}

function misspellings({ path, text }: TextFile): string[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      misspellingsIn(path, line).map(
        ({ word, instead }) => `${path}:${index + 1} ${word}: write ${instead}`,
      ),
    );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const paths = listFiles().filter((path) => /\.(?:ts|tsx|mjs|md|css|html|yaml)$/.test(path));
  const problems = findProblems(paths.map((path) => ({ path, text: readText(path) })));
  if (problems.length > 0) {
    console.log(problems.join("\n"));
    console.log(`${problems.length} problems. scripts/vocabulary-rules.ts has the rules.`);
    process.exitCode = 1;
  }
}
