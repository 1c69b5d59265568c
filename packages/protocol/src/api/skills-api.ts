import { z } from "zod";
import { skillLimits, skillProblemSchema, skillReviewSchema, skillViewSchema } from "../skill.ts";
import { endpoints } from "./endpoint.ts";

/** Base64 needs a third more, and an archive of small files a little beside them. */
const maxEncodedCharacters = Math.ceil((skillLimits.totalBytes * 4) / 3) + 16 * 1024;

/** Files of one folder, or an archive of it (.zip, .tgz). */
const newSkillSchema = z.union([
  z.strictObject({
    files: z
      .array(
        z.strictObject({
          path: z.string().min(1).max(1_000),
          /** In base64. */
          content: z.string().max(maxEncodedCharacters),
        }),
      )
      .min(1)
      .max(skillLimits.files + 1),
    /** The name of the folder. It must be that of the skill. */
    folder: z.string().min(1).max(255),
  }),
  z.strictObject({
    /** In base64. */
    archive: z.string().min(1).max(maxEncodedCharacters),
  }),
]);
export type NewSkill = z.input<typeof newSkillSchema>;

export const skillsApi = endpoints({
  "GET /api/skills": {
    summary: "List skills, after a look at the folders in which they are found.",
    tag: "Skills",
    scope: "read",
    response: z.object({
      skills: z.array(skillViewSchema),
      /** Folders that have a skill and cannot be used. */
      problems: z.array(skillProblemSchema),
    }),
  },
  "GET /api/skills/:name": {
    summary: "Get a skill with its files, and its changes since it was accepted.",
    tag: "Skills",
    scope: "read",
    response: skillReviewSchema,
  },
  "POST /api/skills": {
    summary: "Add a skill for review. Brons use it once it is accepted.",
    tag: "Skills",
    scope: "manage",
    body: newSkillSchema,
    status: 201,
    response: skillReviewSchema,
  },
  "POST /api/skills/:name/accept": {
    summary: "Accept exactly the version that was reviewed.",
    tag: "Skills",
    scope: "manage",
    alsoScope: "speak",
    body: z.strictObject({
      /** The digest of the version that waits for a review. */
      digest: z.string().min(1).max(100),
    }),
    response: skillViewSchema,
  },
  "DELETE /api/skills/:name": {
    summary: "Remove a skill. Tasks that use it keep the version that they started with.",
    tag: "Skills",
    scope: "manage",
    status: 204,
    response: "nothing",
  },
});
