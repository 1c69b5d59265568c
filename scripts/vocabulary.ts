// Checks the words of the repository, as docs/glossary.md decides them: names of identifiers, files
// and folders use the project's vocabulary, and all text is spelled the US way.
import { fileURLToPath } from "node:url";
import { listFiles, readText } from "../test/architecture/source-tree.ts";
import { declaredNames } from "./declared-names.ts";
import { formsOf, readGlossary, splitName, type WordRule } from "./glossary-rules.ts";
import { misspellingsIn } from "./spelling.ts";
import { exceptions, type Exception } from "./vocabulary-rules.ts";

interface TextFile {
  readonly path: string;
  readonly text: string;
}

interface Rule extends WordRule {
  /** For each word of the phrase, the forms that it may have. */
  readonly forms: readonly ReadonlySet<string>[];
  readonly exceptions: readonly Exception[];
}

const rules: readonly Rule[] = readGlossary(readText("docs/glossary.md")).map((rule) => ({
  ...rule,
  forms: rule.words.map(formsOf),
  exceptions: exceptions.filter(({ word }) => splitName(word).join(" ") === rule.words.join(" ")),
}));
const checkedText = /\.(?:ts|tsx|mjs|js|md|css|html|ya?ml|json|sh)$|^scripts\/hooks\//;

/** Returns one line for each name or spelling that breaks a rule. */
export function findProblems(files: readonly TextFile[]): string[] {
  return [
    ...foldersOf(files).flatMap((folder) => problemsOfName(folder, folder, baseName(folder))),
    ...files.flatMap((file) => [...problemsOfNames(file), ...misspellings(file)]),
  ];
}

/** Exceptions that no rule of the glossary needs. */
export function unusedExceptions(): string[] {
  const used = new Set(rules.flatMap((rule) => rule.exceptions));
  return exceptions.filter((one) => !used.has(one)).map(({ word }) => word);
}

function problemsOfNames({ path, text }: TextFile): string[] {
  const names = /\.(?:ts|tsx|mjs)$/.test(path) ? declaredNames(path, text) : [];
  return [{ name: baseName(path), line: 1 }, ...names].flatMap(({ name, line }) =>
    problemsOfName(path, `${path}:${line}`, name),
  );
}

function problemsOfName(path: string, where: string, name: string): string[] {
  const words = splitName(name);
  return rules.flatMap((rule) => {
    const found = findPhrase(words, rule.forms);
    if (found === undefined || isAllowed(rule, path, name)) return [];
    return [`${where} ${name}: say ${rule.instead}, not "${found}"`];
  });
}

function findPhrase(words: readonly string[], forms: Rule["forms"]): string | undefined {
  const start = words.findIndex((_, index) =>
    forms.every((allowed, offset) => allowed.has(words[index + offset] ?? "")),
  );
  return start < 0 ? undefined : words.slice(start, start + forms.length).join(" ");
}

function isAllowed(rule: Rule, path: string, name: string): boolean {
  return (
    rule.exceptNames.includes(name) ||
    rule.exceptions.some(
      ({ names = [], paths = [], isForTests = false }) =>
        names.includes(name) ||
        (isForTests && /\.(?:test|fixture)\.tsx?$/.test(path)) ||
        paths.some((prefix) => `${path}/`.startsWith(prefix)),
    )
  );
}

function foldersOf(files: readonly TextFile[]): string[] {
  const folders = new Set<string>();
  for (const { path } of files)
    for (let end = path.lastIndexOf("/"); end > 0; end = path.lastIndexOf("/", end - 1))
      folders.add(path.slice(0, end));
  return [...folders];
}

function baseName(path: string): string {
  return path.replace(/.*\//, "").replace(/\..*/, "");
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
  const paths = listFiles().filter(
    (path) => checkedText.test(path) && !path.endsWith("package-lock.json"),
  );
  const problems = findProblems(paths.map((path) => ({ path, text: readText(path) })));
  if (problems.length > 0) {
    console.log(problems.join("\n"));
    console.log(
      `${problems.length} problems. docs/glossary.md has the words, scripts/vocabulary-rules.ts the exceptions.`,
    );
    process.exitCode = 1;
  }
}
