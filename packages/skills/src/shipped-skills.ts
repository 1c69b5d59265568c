import { BronError } from "@bron/core";
import type { SkillContent } from "@bron/protocol";
import { fileURLToPath } from "node:url";
import { describeProblems } from "./read-new-skill.ts";
import { parseSkill } from "./parse-skill.ts";
import { readSkillFolder } from "./read-skill-folder.ts";

const names = ["doc-info-extractor", "email-draft-writer", "gmail-attachment-extractor"];

/** The skills that come with Bron. */
export async function readShippedSkills(): Promise<readonly SkillContent[]> {
  const root = fileURLToPath(new URL("../shipped/", import.meta.url));
  return await Promise.all(
    names.map(async (name) => {
      const parsed = await parseSkill(await readSkillFolder(`${root}/${name}`));
      if (parsed.ok) return parsed.content;
      throw new BronError("internal", describeProblems(parsed.problems));
    }),
  );
}
