import { skillFileName, skillLimits } from "@bron/protocol";

/** The files of one skill by their paths in it, as they were found. */
export interface SkillFiles {
  /** The name of its folder. Undefined if the files came without one. */
  readonly folder?: string;
  readonly files: ReadonlyMap<string, Uint8Array>;
}

/** Why a skill cannot be used: the file, and the line if there is one. */
export interface Problem {
  readonly file: string;
  readonly line: number | null;
  readonly message: string;
}

export const problem = (file: string, message: string, line: number | null = null): Problem => ({
  file,
  line,
  message,
});

/** What programs leave in folders and archives. It is no part of a skill. */
const ignored = /^(?:__MACOSX|\.git)$|^(?:\.DS_Store|Thumbs\.db|desktop\.ini)$/;

export function isIgnored(path: string): boolean {
  return path.split("/").some((part) => ignored.test(part));
}

/** Why a path cannot be that of a file in a skill. Undefined if it can. */
export function whyNotPath(
  path: string,
  maxDepth: number = skillLimits.pathDepth,
): string | undefined {
  if (path.length > skillLimits.pathCharacters)
    return `The path has more than ${skillLimits.pathCharacters} characters.`;
  // oxlint-disable-next-line no-control-regex -- They must not be in a path.
  if (/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/.test(path))
    return "The path has control characters.";
  if (/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(path))
    return "The path has characters that change the direction of text.";
  if (!path.isWellFormed()) return "The path is not valid Unicode.";
  if (path.includes("\\")) return "The path has a backslash. Use slashes between folders.";
  if (path.startsWith("/") || /^[a-zA-Z]:/.test(path))
    return "The path is absolute. Paths must stay in the folder of the skill.";
  const parts = path.split("/");
  if (parts.includes("..")) return "The path leads out of the folder of the skill.";
  if (parts.some((part) => part === "" || part === "."))
    return "The path has a part without a name.";
  return parts.length > maxDepth ? `The path has more than ${maxDepth} levels.` : undefined;
}

/**
 * Divides files into skills: each folder with a SKILL.md is one, with everything below it that is
 * not in another.
 */
export function divideIntoSkills(
  files: ReadonlyMap<string, Uint8Array>,
): ReadonlyMap<string, ReadonlyMap<string, Uint8Array>> {
  const folders = [...files.keys()]
    .flatMap((path) =>
      path.endsWith(`/${skillFileName}`) ? [path.slice(0, -skillFileName.length)] : [],
    )
    .toSorted((a, b) => b.length - a.length);
  const skills = new Map<string, Map<string, Uint8Array>>();
  for (const [path, bytes] of files) {
    const folder = folders.find((prefix) => path.startsWith(prefix));
    if (folder === undefined) continue;
    const own = skills.get(folder) ?? new Map<string, Uint8Array>();
    own.set(path.slice(folder.length), bytes);
    skills.set(folder, own);
  }
  return new Map([...skills].map(([folder, own]) => [folder.slice(0, -1), own]));
}
