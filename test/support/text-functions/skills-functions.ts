import { gzipSync } from "node:zlib";
import * as allowedTools from "../../../packages/skills/src/allowed-tools.ts";
import * as frontMatter from "../../../packages/skills/src/front-matter.ts";
import * as parseSkill from "../../../packages/skills/src/parse-skill.ts";
import * as readTar from "../../../packages/skills/src/read-tar.ts";
import * as readZip from "../../../packages/skills/src/read-zip.ts";
import * as skillFiles from "../../../packages/skills/src/skill-files.ts";
import * as skillWords from "../../../packages/protocol/src/skill-words.ts";
import type { TextModule } from "./text-module.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

export const skillsFunctions: Readonly<Record<string, TextModule>> = {
  "skills/allowed-tools": {
    exports: allowedTools,
    runs: { namesOfTools: (text) => allowedTools.namesOfTools(text) },
  },
  "skills/front-matter": {
    exports: frontMatter,
    runs: {
      parseFrontMatter: (text) => frontMatter.parseFrontMatter(text),
      "parseFrontMatter (a body)": (text) =>
        frontMatter.parseFrontMatter(`---\na: b\n---\n${text}`),
    },
  },
  "skills/parse-skill": {
    exports: parseSkill,
    runs: {
      parseSkill: (text) =>
        parseSkill.parseSkill({
          files: new Map([
            ["SKILL.md", bytes(`---\nname: a\ndescription: b\n---\n${text}`)],
            [text, bytes("x")],
          ]),
        }),
    },
  },
  "skills/read-tar": {
    exports: readTar,
    runs: { readTgz: (text) => readTar.readTgz(gzipSync(Buffer.from(text))) },
  },
  "skills/read-zip": {
    exports: readZip,
    runs: {
      readZip: (text) => readZip.readZip(Buffer.from(text)),
    },
  },
  "skills/skill-files": {
    exports: skillFiles,
    runs: {
      isIgnored: (text) => skillFiles.isIgnored(text),
      whyNotPath: (text) => skillFiles.whyNotPath(text),
      divideIntoSkills: (text) => skillFiles.divideIntoSkills(new Map([[text, bytes("x")]])),
    },
    without: ["problem"],
  },
  "protocol/skill-words": {
    exports: skillWords,
    runs: {
      skillTitle: (text) => skillWords.skillTitle(text),
      describeSkillRead: (text) =>
        skillWords.describeSkillRead({ tool: "skill_read", input: { skill: text } }, "Read"),
    },
  },
};
