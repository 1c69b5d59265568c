import type { Client } from "@bron/client";
import { BronError } from "@bron/core";
import {
  skillFileName,
  skillLimits,
  skillTitle,
  spellOut,
  visible,
  type NewSkill,
  type SkillReview,
  type SkillView,
} from "@bron/protocol";
import { readFile, stat } from "node:fs/promises";
import { asCalled } from "../called-as.ts";
import type { CommandContext } from "../command-context.ts";
import type { ExitCode } from "../exit-code.ts";
import { fileError } from "../file-error.ts";
import { reachRuntime } from "../reach-runtime.ts";
import { describeReview, sourceOf, stateWords } from "../render/skill-review.ts";
import { table } from "../render/table.ts";
import { oneLine } from "../render/visible.ts";
import { hint, json, line, note, type Terminal } from "../terminal.ts";

interface Json {
  readonly json?: boolean;
}

export async function listSkills(context: CommandContext, options: Json): Promise<ExitCode> {
  const { terminal } = context;
  const { skills, problems } = await withClient(context, (client) =>
    client.call("GET /api/skills"),
  );
  if (options.json === true) {
    json(terminal, { skills, problems });
    return 0;
  }
  if (skills.length === 0)
    line(
      terminal,
      asCalled(terminal, "There are no skills. Add one with: bron skills add <folder>"),
    );
  else {
    const rows = skills.map((skill) => [
      oneLine(skill.name),
      stateWords[skill.state],
      sourceOf(skill),
      oneLine((skill.proposed ?? skill.accepted)?.version.description ?? ""),
    ]);
    for (const text of table(["NAME", "STATE", "FROM", "WHAT FOR"], rows, terminal.columns))
      line(terminal, text);
  }
  for (const { place, file, line: at, message } of problems)
    note(
      terminal,
      `${spellOut(place)}: ${spellOut(file)}${at === null ? "" : `, line ${at}`}: ${oneLine(message, 300)}`,
    );
  const waiting = skills.find(({ state }) => state !== "accepted");
  if (waiting) hint(terminal, `Review one with: bron skills accept ${oneLine(waiting.name)}`);
  return 0;
}

export async function showSkill(
  context: CommandContext,
  name: string,
  options: Json & { readonly file?: string },
): Promise<ExitCode> {
  const { terminal } = context;
  const review = await withClient(context, (client) => getReview(client, name));
  if (options.file !== undefined) {
    const found = review.texts.find(({ path }) => path === options.file);
    if (!found || found.text === null)
      throw new BronError("not_found", `The skill has no text file ${spellOut(options.file)}.`, {
        details: { hint: `It has: ${review.texts.map(({ path }) => spellOut(path)).join(", ")}` },
      });
    if (options.json === true) json(terminal, found);
    else for (const text of found.text.split("\n")) line(terminal, visible(text));
    return 0;
  }
  if (options.json === true) json(terminal, review);
  else for (const text of describeReview(terminal, review)) line(terminal, text);
  return 0;
}

export async function addSkill(
  context: CommandContext,
  path: string,
  options: Json,
): Promise<ExitCode> {
  const { terminal } = context;
  const body = await readSkill(path);
  const review = await withClient(context, (client) => client.call("POST /api/skills", { body }));
  if (options.json === true) {
    json(terminal, review);
    return 0;
  }
  for (const text of describeReview(terminal, review)) line(terminal, text);
  const { name, state } = review.skill;
  line(terminal);
  if (state === "accepted") line(terminal, "You have already accepted exactly this version.");
  else
    line(
      terminal,
      asCalled(terminal, `Nothing uses it yet. To accept it: bron skills accept ${oneLine(name)}`),
    );
  return 0;
}

/** Shows the review, asks, and accepts exactly the version that was shown. */
export async function acceptSkill(
  context: CommandContext,
  name: string,
  { digest, json: asJson }: Json & { readonly digest?: string },
): Promise<ExitCode> {
  const { terminal } = context;
  const review = await withClient(context, (client) => getReview(client, name));
  const proposed = review.skill.proposed?.version.digest;
  if (proposed === undefined) {
    if (asJson === true) json(terminal, { skill: review.skill });
    else line(terminal, `${shown(name)} is accepted already.`);
    return 0;
  }
  if (digest === undefined) {
    for (const text of describeReview(terminal, review)) note(terminal, text);
    if (!(await isAccepted(terminal, name, proposed))) {
      if (asJson === true) json(terminal, { skill: review.skill });
      else line(terminal, "Nothing was changed.");
      return 1;
    }
  }
  const skill = await withClient(context, (client) =>
    client.call("POST /api/skills/:name/accept", {
      params: { name },
      body: { digest: digest ?? proposed },
    }),
  );
  if (asJson === true) json(terminal, { skill });
  else line(terminal, `Accepted ${shown(name)}. New tasks can use it.`);
  return 0;
}

export async function removeSkill(
  context: CommandContext,
  name: string,
  options: Json,
): Promise<ExitCode> {
  const { terminal } = context;
  const left = await withClient(context, async (client) => {
    await client.call("DELETE /api/skills/:name", { params: { name } });
    const { skills } = await client.call("GET /api/skills");
    return skills.find((skill) => skill.name === name);
  });
  if (options.json === true) json(terminal, { removed: name, skill: left ?? null });
  else line(terminal, removedWords(name, left));
  return 0;
}

function removedWords(name: string, left: SkillView | undefined): string {
  const place = left?.proposed?.place ?? null;
  const rest =
    place !== null
      ? ` It stays in the list while its folder exists: ${spellOut(place)}`
      : left
        ? " It comes with Bron, so you can accept it again."
        : "";
  return `Removed ${shown(name)}. No new task uses it.${rest}`;
}

const shown = (name: string) => `“${oneLine(skillTitle(name))}”`;

const getReview = (client: Client, name: string): Promise<SkillReview> =>
  client.call("GET /api/skills/:name", { params: { name } });

/** Folders may have changed, so that every command looks at them first. */
async function withClient<T>(
  context: CommandContext,
  use: (client: Client) => Promise<T>,
): Promise<T> {
  // A review says which of the tools there are.
  const opening = { work: "none", withOutside: true } as const;
  return await reachRuntime(context, opening, async ({ client }) => {
    await client.call("GET /api/skills");
    return await use(client);
  });
}

async function isAccepted(terminal: Terminal, name: string, digest: string): Promise<boolean> {
  if (!terminal.canAsk)
    throw new BronError("invalid_input", "Only a person at a terminal can be asked.", {
      details: {
        hint: `Read the skill, then run: bron skills accept ${oneLine(name)} --digest ${digest}`,
      },
    });
  const response = await terminal.ask(`Accept this skill? Type yes to accept: `);
  if (terminal.stop.aborted) throw new BronError("interrupted", "Nothing was changed.");
  return response.trim().toLowerCase() === "yes";
}

async function readSkill(path: string): Promise<NewSkill> {
  const stats = await stat(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  if (stats.isDirectory()) {
    const { readSkillFolder } = await import("@bron/skills");
    const { folder, files } = await readSkillFolder(path);
    return {
      folder,
      files: [...files].map(([file, bytes]) => ({
        path: file,
        content: Buffer.from(bytes).toString("base64"),
      })),
    };
  }
  if (path.endsWith(skillFileName))
    throw new BronError("invalid_input", "Give the folder of the skill, not its SKILL.md.");
  if (stats.size > skillLimits.totalBytes)
    throw new BronError(
      "too_large",
      `${oneLine(path)} is larger than ${skillLimits.totalBytes / 1024} KB.`,
    );
  const bytes = await readFile(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  return { archive: bytes.toString("base64") };
}
