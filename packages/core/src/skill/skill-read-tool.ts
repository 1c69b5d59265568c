import { omitUndefined, skillFileName, skillReadName, type JsonValue } from "@bron/protocol";
import { z } from "zod";
import { boundaryBefore } from "../context/cut-text.ts";
import { BronError } from "../errors.ts";
import { defineTool } from "../tool/define-tool.ts";
import type { Tool } from "../tool/tool.ts";
import type { ReadableSkill } from "../ports/skills.ts";

/** Below the length at which an output is kept. */
const maxCharacters = 20_000;

/** What the result says about a skill that Bron itself wrote. */
const fromBron = "Bron";

/**
 * Reads the instructions of a skill, or another of its files. It knows only what the store has of
 * the versions that the run pinned, so no path leads anywhere else.
 */
export const skillReadTool: Tool = defineTool({
  name: skillReadName,
  description:
    "Reads the instructions of one of your skills, or one of its other files. Read a skill before you do a task that it is for, and follow it. Its scripts are text: nothing can run them.",
  input: z.object({
    skill: z.string().min(1).max(100).describe("The name of the skill"),
    file: z
      .string()
      .min(1)
      .max(300)
      .optional()
      .describe(
        `A file that the skill names, such as references/fields.md. By default ${skillFileName}`,
      ),
    from: z.number().int().min(0).optional().describe("The first character, counted from 0"),
  }),
  // Others wrote it, and anyone may know it. The owner accepted it as a procedure, not as their words.
  label: { origin: "skill", isPublic: true, isTrusted },
  parallelSafe: true,
  repeatable: true,
  // A retry has its own versions.
  reuseOnRetry: false,
  async execute({ skill, file = skillFileName, from = 0 }, context) {
    const content = await context.readSkill(skill);
    if (!content)
      throw new BronError(
        "not_found",
        `This task has no skill ${JSON.stringify(skill)}. Use a name from the list of skills.`,
      );
    const path = file.replace(/^(?:\.\/)+/, "");
    const text = textOf(content, path);
    const start = boundaryBefore(text, from);
    const end = boundaryBefore(text, start + maxCharacters);
    return {
      skill,
      file: path,
      from: content.isShipped ? fromBron : "a skill that the user accepted",
      text: text.slice(start, end),
      ...omitUndefined({ next: end < text.length ? end : undefined }),
      ...(path === skillFileName && start === 0 ? { files: otherFiles(content) } : {}),
    };
  },
});

/** Throws not_found, with the files that there are. */
function textOf({ texts }: ReadableSkill, path: string): string {
  const found = texts.find((file) => file.path === path);
  if (found && found.text !== null) return found.text;
  const readable = texts.filter(({ text }) => text !== null).map((file) => file.path);
  throw new BronError(
    "not_found",
    found
      ? `${path} is not a text file, so it can't be read.`
      : `The skill has no file ${JSON.stringify(path)}. It has: ${readable.join(", ")}.`,
  );
}

function otherFiles({ texts }: ReadableSkill): string[] {
  return texts.flatMap(({ path, text }) => (path === skillFileName || text === null ? [] : [path]));
}

function isTrusted(output: JsonValue): boolean {
  return (
    typeof output === "object" &&
    output !== null &&
    !Array.isArray(output) &&
    output["from"] === fromBron
  );
}
