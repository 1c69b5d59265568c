import { cleanText, sha256 } from "@bron/core";
import {
  skillFileName,
  skillLimits,
  skillNamePattern,
  type SkillContent,
  type SkillFileEntry,
  type SkillFileKind,
  type SkillText,
} from "@bron/protocol";
import { namesOfTools } from "./allowed-tools.ts";
import { parseFrontMatter, type FrontMatter } from "./front-matter.ts";
import { isIgnored, problem, whyNotPath, type Problem, type SkillFiles } from "./skill-files.ts";

export type ParsedSkill =
  | { readonly ok: true; readonly content: SkillContent }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * Checks the files of a skill, which others may have written, and returns them as they are stored.
 * Never throws.
 */
export async function parseSkill({ folder, files: all }: SkillFiles): Promise<ParsedSkill> {
  const files = new Map([...all].filter(([path]) => !isIgnored(path)));
  const filesProblems = checkFiles(files);
  if (filesProblems.length > 0) return { ok: false, problems: filesProblems };
  const bytes = files.get(skillFileName);
  if (!bytes) return { ok: false, problems: [withoutSkillFile([...files.keys()])] };
  const text = decode(bytes);
  if (text === undefined)
    return { ok: false, problems: [problem(skillFileName, "The file is not UTF-8 text.")] };
  const parsed = parseFrontMatter(text);
  if (!parsed.ok) return parsed;
  const fields = readFields(parsed.frontMatter, folder);
  if (fields.problems.length > 0) return { ok: false, problems: fields.problems };
  const entries = await Promise.all([...files].toSorted(byPath).map(readEntry));
  const digest = await sha256(
    new TextEncoder().encode(
      JSON.stringify(entries.map(({ entry }) => [entry.path, entry.digest])),
    ),
  );
  const { name, description, license, compatibility, allowedTools, warnings } = fields;
  const version = {
    name,
    digest,
    description,
    license,
    compatibility,
    allowedTools,
    files: entries.map(({ entry }) => entry),
    warnings,
  };
  return { ok: true, content: { version, texts: entries.map((file) => file.text) } };
}

function checkFiles(files: ReadonlyMap<string, Uint8Array>): Problem[] {
  if (files.size > skillLimits.files)
    return [problem(skillFileName, `The skill has more than ${skillLimits.files} files.`)];
  const problems: Problem[] = [];
  const seen = new Map<string, string>();
  let total = 0;
  for (const [path, bytes] of files) {
    const why = whyNotPath(path);
    if (why !== undefined) {
      problems.push(problem(path, why));
      continue;
    }
    if (bytes.length > skillLimits.fileBytes)
      problems.push(problem(path, `The file is larger than ${kilobytes(skillLimits.fileBytes)}.`));
    total += bytes.length;
    const key = path.normalize("NFC").toLowerCase();
    const other = seen.get(key);
    if (other !== undefined)
      problems.push(
        problem(path, `${other} has the same name on some computers. Rename one of them.`),
      );
    seen.set(key, path);
  }
  if (total > skillLimits.totalBytes)
    problems.push(
      problem(
        skillFileName,
        `The files are larger than ${kilobytes(skillLimits.totalBytes)} together.`,
      ),
    );
  return problems;
}

function withoutSkillFile(paths: readonly string[]): Problem {
  const other = paths.find((path) => path.toLowerCase() === skillFileName.toLowerCase());
  return problem(
    skillFileName,
    other === undefined
      ? "The folder has no SKILL.md. A skill is a folder with this file."
      : `Rename ${other} to ${skillFileName}.`,
  );
}

interface Fields {
  name: string;
  description: string;
  license: string | null;
  compatibility: string | null;
  allowedTools: readonly string[] | null;
  readonly warnings: string[];
  readonly problems: Problem[];
}

const knownKeys = new Set([
  "name",
  "description",
  "license",
  "compatibility",
  "metadata",
  "allowed-tools",
]);

function readFields(frontMatter: FrontMatter, folder: string | undefined): Fields {
  const { values, lineOf, body } = frontMatter;
  const fields: Fields = {
    name: "",
    description: "",
    license: null,
    compatibility: null,
    allowedTools: null,
    warnings: [],
    problems: [],
  };
  const fail = (key: string, message: string) =>
    void fields.problems.push(problem(skillFileName, `${key}: ${message}`, lineOf(key)));
  const text = (key: string, max: number): string | null => {
    const value = values.get(key);
    if (value === undefined || value === null) return null;
    if (typeof value !== "string") {
      fail(key, "must be a text.");
      return null;
    }
    const line = oneLine(value);
    if (line.length > max) fail(key, `has ${line.length} characters. At most ${max} are allowed.`);
    return line === "" ? null : line;
  };
  readName(fields, { value: values.get("name"), folder, fail });
  const description = text("description", skillLimits.descriptionCharacters);
  if (
    description === null &&
    !fields.problems.some(({ message }) => message.startsWith("description:"))
  )
    fail("description", "is missing. Say what the skill does, and when to use it.");
  fields.description = description ?? "";
  fields.license = text("license", skillLimits.licenseCharacters);
  fields.compatibility = text("compatibility", skillLimits.compatibilityCharacters);
  if (values.has("allowed-tools")) readTools(fields, values.get("allowed-tools"), fail);
  const metadata = values.get("metadata");
  if (
    metadata !== undefined &&
    metadata !== null &&
    (typeof metadata !== "object" || Array.isArray(metadata))
  )
    fail("metadata", "must have keys with values.");
  for (const key of values.keys())
    if (!knownKeys.has(key))
      fields.warnings.push(
        `Line ${lineOf(key)}: ${JSON.stringify(oneLine(key).slice(0, 80))} has no effect in Bron.`,
      );
  if (body.trim() === "")
    fields.problems.push(
      problem(skillFileName, "The file has no instructions after the front matter."),
    );
  return fields;
}

function readName(
  fields: Fields,
  {
    value,
    folder,
    fail,
  }: {
    readonly value: unknown;
    readonly folder: string | undefined;
    readonly fail: (key: string, message: string) => void;
  },
): void {
  if (value === undefined || value === null || value === "")
    return fail("name", "is missing. Use the name of the folder.");
  if (typeof value !== "string") return fail("name", "must be a text.");
  if (value.length > skillLimits.nameCharacters)
    return fail(
      "name",
      `has ${value.length} characters. At most ${skillLimits.nameCharacters} are allowed.`,
    );
  if (!skillNamePattern.test(value))
    return fail(
      "name",
      "may have lower case letters, digits and single hyphens between them, such as invoice-summary.",
    );
  if (folder !== undefined && folder !== value)
    return fail(
      "name",
      `is not that of the folder, ${JSON.stringify(folder)}. Rename one of them.`,
    );
  if (value.includes("_"))
    fields.warnings.push(
      `The name has underscores. Other programs want hyphens: ${value.replaceAll("_", "-")}.`,
    );
  fields.name = value;
}

const toolPattern = /^[a-zA-Z_][a-zA-Z0-9_.:/@*-]{0,199}$/;

function readTools(
  fields: Fields,
  value: unknown,
  fail: (key: string, message: string) => void,
): void {
  const names = namesOfTools(value);
  if (!names) return fail("allowed-tools", "must be names of tools with spaces between them.");
  if (names.length > skillLimits.allowedTools)
    return fail("allowed-tools", `has more than ${skillLimits.allowedTools} names.`);
  const wrong = names.find((name) => !toolPattern.test(name));
  if (wrong !== undefined)
    return fail(
      "allowed-tools",
      `${JSON.stringify(wrong.slice(0, 80))} is not the name of a tool.`,
    );
  fields.allowedTools = names;
}

async function readEntry([path, bytes]: [string, Uint8Array]): Promise<{
  readonly entry: SkillFileEntry;
  readonly text: SkillText;
}> {
  const text = decode(bytes);
  const entry = {
    path,
    kind: kindOf(path, text),
    sizeBytes: bytes.length,
    digest: await sha256(new Uint8Array(bytes)),
  };
  return { entry, text: { path, text: text ?? null } };
}

const scriptEndings =
  /\.(?:sh|bash|zsh|fish|py|rb|pl|js|mjs|cjs|ts|mts|php|lua|ps1|bat|cmd|exe|jar|go|rs)$/i;

function kindOf(path: string, text: string | undefined): SkillFileKind {
  if (path === skillFileName) return "instructions";
  const isScript =
    path.startsWith("scripts/") || scriptEndings.test(path) || text?.startsWith("#!") === true;
  return isScript ? "script" : text === undefined ? "binary" : "text";
}

/** Undefined for bytes that are not UTF-8 text. */
function decode(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** A text that stands in a list: one line, and nothing that a terminal would act on. */
function oneLine(text: string): string {
  return (
    cleanText(text)
      // oxlint-disable-next-line no-control-regex -- They must not be in a text of one line.
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\s]+/g, " ")
      .replaceAll(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "")
      .trim()
  );
}

const byPath = ([a]: [string, unknown], [b]: [string, unknown]) => (a < b ? -1 : 1);

const kilobytes = (bytes: number) => `${bytes / 1024} KB`;
