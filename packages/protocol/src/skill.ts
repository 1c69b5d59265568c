import { z } from "zod";

/** Skills: procedures in folders with a SKILL.md, as https://agentskills.io describes them. */

/** The file of a skill that has its name, its description and its instructions. */
export const skillFileName = "SKILL.md";

export const skillLimits = {
  nameCharacters: 64,
  descriptionCharacters: 1_024,
  compatibilityCharacters: 500,
  licenseCharacters: 200,
  allowedTools: 100,
  files: 64,
  pathCharacters: 200,
  pathDepth: 6,
  fileBytes: 256 * 1024,
  totalBytes: 512 * 1024,
  /** The skills whose descriptions one run is shown, and their size together. */
  shown: 30,
  shownCharacters: 12_000,
} as const;

/**
 * Where a version came from: Bron itself, `bron skills add` or an upload, BRON_HOME/skills, or a
 * trusted folder.
 */
const skillSources = ["shipped", "added", "home", "folder"] as const;
export type SkillSource = (typeof skillSources)[number];

/** `script`: a program. Bron shows it as text and never runs it. `binary`: not kept. */
const skillFileKinds = ["instructions", "text", "script", "binary"] as const;
export type SkillFileKind = (typeof skillFileKinds)[number];

const skillFileEntrySchema = z.object({
  path: z.string(),
  kind: z.enum(skillFileKinds),
  sizeBytes: z.number().int(),
  digest: z.string(),
});
export type SkillFileEntry = Readonly<z.infer<typeof skillFileEntrySchema>>;

/** One version of a skill, without the text of its files. */
const skillVersionSchema = z.object({
  name: z.string(),
  /** Over all files. */
  digest: z.string(),
  description: z.string(),
  license: z.string().nullable(),
  compatibility: z.string().nullable(),
  /** Once a run has read the skill, it has only these of its tools. Null: it keeps them all. */
  allowedTools: z.array(z.string()).readonly().nullable(),
  files: z.array(skillFileEntrySchema).readonly(),
  /** What is unusual in its SKILL.md and does no harm. */
  warnings: z.array(z.string()).readonly(),
});
export type SkillVersion = Readonly<z.infer<typeof skillVersionSchema>>;

/** Null for a file whose content is not kept. */
const skillTextSchema = z.object({ path: z.string(), text: z.string().nullable() });
export type SkillText = Readonly<z.infer<typeof skillTextSchema>>;

/** A version with its files. */
export interface SkillContent {
  readonly version: SkillVersion;
  readonly texts: readonly SkillText[];
}

/**
 * `accepted`: Brons can use it. `changed`: they use the accepted version, and a newer one waits for a
 * review. `new`: it waits for its first review.
 */
const skillStates = ["accepted", "changed", "new"] as const;
export type SkillState = (typeof skillStates)[number];

/** A version, and where it came from. */
const placedVersionSchema = z.object({
  version: skillVersionSchema,
  source: z.enum(skillSources),
  /** The folder on the machine of the server. */
  place: z.string().nullable(),
});
export type PlacedSkillVersion = Readonly<z.infer<typeof placedVersionSchema>>;

export const skillViewSchema = z.object({
  name: z.string(),
  state: z.enum(skillStates),
  /** The version that Brons use. */
  accepted: placedVersionSchema.nullable(),
  acceptedAt: z.iso.datetime().nullable(),
  /** The version that waits for a review. */
  proposed: placedVersionSchema.nullable(),
});
export type SkillView = Readonly<z.infer<typeof skillViewSchema>>;

const fileChangeSchema = z.object({
  path: z.string(),
  change: z.enum(["added", "removed", "changed"]),
  /** The changed lines with some around them. Empty for a file without text. */
  lines: z.array(z.object({ kind: z.enum(["same", "added", "removed", "gap"]), text: z.string() })),
});
export type SkillFileChange = Readonly<z.infer<typeof fileChangeSchema>>;

/** What the owner reviews. The texts are of the proposed version, if there is one. */
export const skillReviewSchema = z.object({
  skill: skillViewSchema,
  texts: z.array(skillTextSchema).readonly(),
  /** The tools that it allows and that this installation does not have. */
  unknownTools: z.array(z.string()).readonly(),
  /** From the accepted to the proposed version. Null without one of them. */
  changes: z.array(fileChangeSchema).readonly().nullable(),
});
export type SkillReview = Readonly<z.infer<typeof skillReviewSchema>>;

/** Why a folder with a skill cannot be used, with the file and the line. */
export const skillProblemSchema = z.object({
  place: z.string(),
  file: z.string(),
  line: z.number().int().nullable(),
  message: z.string(),
});
export type SkillProblem = Readonly<z.infer<typeof skillProblemSchema>>;

/** Names that a run, a Bron or a request may have for a skill. */
export const skillNamePattern = /^[a-z0-9]+(?:[-_][a-z0-9]+)*$/;
export const skillNameSchema = z
  .string()
  .max(skillLimits.nameCharacters)
  .regex(skillNamePattern, "must be lower case letters, digits and hyphens");
