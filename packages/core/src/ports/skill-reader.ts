import type { NewSkill, SkillContent, SkillProblem, SkillSource } from "@bron/protocol";

/** A skill in a folder of this machine. */
export interface FoundSkill {
  readonly content: SkillContent;
  readonly source: Extract<SkillSource, "home" | "folder">;
  /** The folder. */
  readonly place: string;
}

/** Reads skills, which others may have written. It runs nothing and limits what it reads. */
export interface SkillReader {
  /** The skills that come with Bron. */
  shipped(): Promise<readonly SkillContent[]>;
  /** The skills in BRON_HOME and in trusted folders, and why others cannot be used. */
  found(): Promise<{
    readonly skills: readonly FoundSkill[];
    readonly problems: readonly SkillProblem[];
  }>;
  /** Reads a folder or an archive that the owner adds. Throws invalid_input with file and line. */
  read(skill: NewSkill): Promise<SkillContent>;
}
