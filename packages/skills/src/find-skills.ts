import { messageOf, type FoundSkill, type SkillReader } from "@bron/core";
import { skillFileName, type SkillProblem } from "@bron/protocol";
import { listTrust, readTrustedFiles } from "@bron/settings";
import { readdir } from "node:fs/promises";
import { basename, join } from "node:path";
import { parseSkill } from "./parse-skill.ts";
import { readSkillFolders } from "./read-skill-folder.ts";
import { divideIntoSkills } from "./skill-files.ts";

type Found = Awaited<ReturnType<SkillReader["found"]>>;

/** Where skills are in a trusted folder. */
const trustedPaths = [".claude/skills", ".agents/skills", ".bron/skills"];

/**
 * The skills in `BRON_HOME/skills`, and those of trusted folders whose every file was trusted. It runs
 * nothing. A folder that cannot be read is a problem, and the others still count.
 */
export async function findSkills(home: string): Promise<Found> {
  return joined([await inHome(home), await inTrustedFolders(home)]);
}

async function inHome(home: string): Promise<Found> {
  const root = join(home, "skills");
  const entries = await readdir(root, { withFileTypes: true }).catch(() => []);
  const all: Found[] = [];
  for (const { name } of entries.filter((entry) => entry.isDirectory()).slice(0, maxFolders)) {
    const place = join(root, name);
    try {
      const files = [...(await readSkillFolders(place))].map(
        ([path, bytes]) => [`${name}/${path}`, bytes] as const,
      );
      const skills = divideIntoSkills(new Map(files));
      all.push(await parseAll(skills, (path) => join(root, path), "home"));
    } catch (error) {
      all.push({ skills: [], problems: [problemOf(place, messageOf(error))] });
    }
  }
  return joined(all);
}

const maxFolders = 200;

const joined = (all: readonly Found[]): Found => ({
  skills: all.flatMap(({ skills }) => skills),
  problems: all.flatMap(({ problems }) => problems),
});

async function inTrustedFolders(home: string): Promise<Found> {
  const all: Found[] = [];
  for (const { folder } of await listTrust(home)) {
    const read = await readTrustedFiles(folder, home).catch(() => undefined);
    if (!read) continue;
    const files = new Map(
      read.trusted.filter(({ path }) => isSkillPath(path)).map(({ path, bytes }) => [path, bytes]),
    );
    const open = [...read.untrusted, ...read.refused].map(({ path }) => path).filter(isSkillPath);
    const skills = new Map([...divideIntoSkills(files)].filter(([path]) => !hasAny(open, path)));
    const waiting = new Set(open.map((path) => path.split("/").slice(0, 3).join("/")));
    const found = await parseAll(skills, (path) => join(folder, path), "folder");
    const problems = [...waiting].map((path) =>
      problemOf(
        join(folder, path),
        `Some of its files are new or have changed since you trusted the folder. Run bron trust in ${folder} to review them.`,
      ),
    );
    all.push({ skills: found.skills, problems: [...found.problems, ...problems] });
  }
  return joined(all);
}

const isSkillPath = (path: string) => trustedPaths.some((folder) => path.startsWith(`${folder}/`));

const hasAny = (paths: readonly string[], folder: string) =>
  paths.some((path) => path.startsWith(`${folder}/`));

async function parseAll(
  skills: ReturnType<typeof divideIntoSkills>,
  placeOf: (path: string) => string,
  source: FoundSkill["source"],
): Promise<Found> {
  const found: FoundSkill[] = [];
  const problems: SkillProblem[] = [];
  for (const [path, files] of skills) {
    const place = placeOf(path);
    const parsed = await parseSkill({ folder: basename(path), files });
    if (parsed.ok) found.push({ content: parsed.content, source, place });
    else problems.push(...parsed.problems.map((problem) => ({ place, ...problem })));
  }
  return { skills: found, problems };
}

const problemOf = (place: string, message: string): SkillProblem => ({
  place,
  file: skillFileName,
  line: null,
  message,
});
