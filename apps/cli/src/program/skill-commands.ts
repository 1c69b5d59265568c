import type { Command } from "commander";
import { examples, leaf } from "./leaf.ts";
import type { Runner } from "./runner.ts";

const loadSkills = () => import("../commands/skills.ts");
const nameHelp = "Its name, as bron skills list shows it";

export function addSkillCommands(program: Command, { run }: Runner): void {
  const skills = program
    .command("skills")
    .description("List, review and add skills: procedures that Brons follow")
    .addHelpText("after", examples("bron skills list\n  bron skills add ./invoice-summary"));
  leaf(
    skills.command("list"),
    "List skills, and those that wait for your review",
    "bron skills list",
  ).action((options) =>
    run(loadSkills, (commands, context) => commands.listSkills(context, options)),
  );
  leaf(
    skills.command("show"),
    "Show what a skill says, what it may use, and what has changed",
    "bron skills show email-draft-writer",
  )
    .argument("<skill>", nameHelp)
    .option("--file <path>", "Print this file of it instead")
    .action((name, options) =>
      run(loadSkills, (commands, context) => commands.showSkill(context, name, options)),
    );
  leaf(
    skills.command("add"),
    "Add a skill from a folder, a .zip or a .tgz. Nothing uses it before you accept it",
    "bron skills add ./invoice-summary\n  bron skills add invoice-summary.zip",
  )
    .argument("<path>", "A folder with a SKILL.md, or an archive of one")
    .action((path, options) =>
      run(loadSkills, (commands, context) => commands.addSkill(context, path, options)),
    );
  leaf(
    skills.command("accept"),
    "Review a skill and accept exactly this version",
    "bron skills accept invoice-summary",
  )
    .argument("<skill>", nameHelp)
    .option("--digest <digest>", "Accept this version, which you have reviewed, without a question")
    .action((name, options) =>
      run(loadSkills, (commands, context) => commands.acceptSkill(context, name, options)),
    );
  leaf(
    skills.command("remove"),
    "Remove a skill. Tasks under way keep the version that they started with",
    "bron skills remove invoice-summary",
  )
    .argument("<skill>", nameHelp)
    .action((name, options) =>
      run(loadSkills, (commands, context) => commands.removeSkill(context, name, options)),
    );
}
