import type { SkillReader } from "@bron/core";

/**
 * Reads the skills that come with Bron, those in `BRON_HOME/skills` and in trusted folders, and those
 * that the owner adds. The code for it is loaded when it is first used.
 */
export function createSkillReader({ home }: { readonly home: string }): SkillReader {
  return {
    shipped: async () => await (await import("./shipped-skills.ts")).readShippedSkills(),
    found: async () => await (await import("./find-skills.ts")).findSkills(home),
    read: async (skill) => await (await import("./read-new-skill.ts")).readNewSkill(skill),
  };
}
