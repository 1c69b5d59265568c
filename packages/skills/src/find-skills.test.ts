import { readFolder, saveTrust } from "@bron/settings";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { findSkills } from "./find-skills.ts";
import { readSkillFolder } from "./read-skill-folder.ts";

const skill = (name: string) => `---\nname: ${name}\ndescription: Use it.\n---\nDo it.\n`;

describe("skills in folders", () => {
  let root: string;
  let home: string;
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "bron-skills-"));
    home = join(root, "home");
    await mkdir(home);
  });
  afterEach(async () => await rm(root, { recursive: true }));
  const write = async (path: string, text: string) => {
    const place = join(root, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, text);
  };
  const names = async () => {
    const { skills, problems } = await findSkills(home);
    return {
      names: skills.map(({ content, source }) => `${content.version.name} (${source})`).toSorted(),
      problems: problems.map(({ message }) => message),
    };
  };

  it("BR11 are found in the folder of the home, also deeper, with their mistakes", async () => {
    expect(await names()).toEqual({ names: [], problems: [] });
    await write("home/skills/tidy/SKILL.md", skill("tidy"));
    await write("home/skills/team/report/SKILL.md", skill("report"));
    await write("home/skills/wrong/SKILL.md", skill("other"));
    await write("home/skills/README.md", "Not a skill.");
    const { names: found, problems } = await names();
    expect(found).toEqual(["report (home)", "tidy (home)"]);
    expect(problems).toEqual([expect.stringContaining("is not that of the folder")]);
  });

  it("X9 BR11 are not read in a folder before it is trusted, and not if a file changed", async () => {
    const folder = join(root, "shop");
    await write("shop/.claude/skills/tidy/SKILL.md", skill("tidy"));
    await write("shop/.claude/skills/tidy/references/a.md", "A");
    await write("shop/.agents/skills/report/SKILL.md", skill("report"));
    expect(await names()).toEqual({ names: [], problems: [] });
    await saveTrust(home, await readFolder(folder, home), new Date(0));
    expect((await names()).names).toEqual(["report (folder)", "tidy (folder)"]);
    await write("shop/.claude/skills/tidy/references/a.md", "Changed");
    await write("shop/.agents/skills/late/SKILL.md", skill("late"));
    const { names: found, problems } = await names();
    expect(found).toEqual(["report (folder)"]);
    expect(problems).toHaveLength(2);
    for (const problem of problems) expect(problem).toContain("Run bron trust");
  });

  it("X9 follow no link, and take no folder that is too large", async () => {
    await write("secret.txt", "SECRET");
    await write("home/skills/tidy/SKILL.md", skill("tidy"));
    await symlink(join(root, "secret.txt"), join(home, "skills/tidy/notes.md"));
    await write("home/skills/good/SKILL.md", skill("good"));
    expect(await names()).toEqual({
      names: ["good (home)"],
      problems: [expect.stringContaining("it is a link")],
    });
    await expect(readSkillFolder(join(home, "skills/tidy"))).rejects.toMatchObject({
      code: "invalid_input",
    });
    await write("big/SKILL.md", skill("big"));
    await write("big/a.md", "x".repeat(300_000));
    await expect(readSkillFolder(join(root, "big"))).rejects.toMatchObject({
      message: expect.stringContaining("larger than 256 KB"),
    });
    await expect(readSkillFolder(join(root, "gone"))).rejects.toMatchObject({
      code: "invalid_input",
    });
  });
});
