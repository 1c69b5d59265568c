import { BronError } from "@bron/core";
import { skillFileName, skillLimits, type NewSkill, type SkillContent } from "@bron/protocol";
import { archiveError, type ArchiveFiles } from "./archive-limits.ts";
import { parseSkill } from "./parse-skill.ts";
import { readTgz } from "./read-tar.ts";
import { readZip } from "./read-zip.ts";
import { isIgnored, type Problem, type SkillFiles } from "./skill-files.ts";

/** Reads a skill that the owner adds. Throws invalid_input, with file and line. */
export async function readNewSkill(skill: NewSkill): Promise<SkillContent> {
  const files = "archive" in skill ? inArchive(skill.archive) : inRequest(skill);
  const parsed = await parseSkill(files);
  if (parsed.ok) return parsed.content;
  throw new BronError("invalid_input", describeProblems(parsed.problems), {
    details: { problems: parsed.problems.map((found) => ({ ...found })) },
  });
}

const maxShown = 10;

/** One line for each problem: `SKILL.md, line 3: name: is missing.` */
export function describeProblems(problems: readonly Problem[]): string {
  const shown = problems.slice(0, maxShown).map(describeProblem);
  const more = problems.length - shown.length;
  return [
    "This skill can't be used.",
    ...shown,
    ...(more > 0 ? [`${more} more problems.`] : []),
  ].join("\n");
}

function describeProblem({ file, line, message }: Problem): string {
  const path = file.length > 100 ? `${file.slice(0, 100)}…` : file;
  return `${path}${line === null ? "" : `, line ${line}`}: ${message}`;
}

function inRequest({ folder, files }: Extract<NewSkill, { files: unknown }>): SkillFiles {
  const read = new Map<string, Uint8Array>();
  for (const { path, content } of files) {
    if (read.has(path))
      throw new BronError("invalid_input", `${JSON.stringify(path)} comes twice.`);
    read.set(path, fromBase64(content));
  }
  return { folder, files: read };
}

function inArchive(encoded: string): SkillFiles {
  const archive = fromBase64(encoded);
  if (archive.length > skillLimits.totalBytes)
    throw archiveError(`It is larger than ${skillLimits.totalBytes / 1024} KB.`);
  if (archive.length > 2 && archive[0] === 0x1f && archive[1] === 0x8b)
    return withoutFolder(readTgz(archive));
  if (archive.length > 4 && archive.toString("latin1", 0, 2) === "PK")
    return withoutFolder(readZip(archive));
  throw archiveError("Use a .zip or a .tgz file with one skill.");
}

/** The skill is in the only folder of the archive, or has none around it. */
function withoutFolder(files: ArchiveFiles): SkillFiles {
  const kept = [...files].filter(([path]) => !isIgnored(path));
  if (files.has(skillFileName)) return { files };
  const folders = new Set(kept.map(([path]) => path.slice(0, path.indexOf("/") + 1)));
  const [folder = ""] = folders;
  if (folders.size !== 1 || folder === "") return { files };
  return {
    folder: folder.slice(0, -1),
    files: new Map(kept.map(([path, bytes]) => [path.slice(folder.length), bytes])),
  };
}

function fromBase64(text: string): Buffer {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64").replace(/=+$/, "") !== text.replace(/=+$/, ""))
    throw new BronError("invalid_input", "The content is not valid base64.");
  return bytes;
}
