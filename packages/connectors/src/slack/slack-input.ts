import { z } from "zod";

export const channelsInput = z.object({
  query: z
    .string()
    .max(100)
    .default("")
    .describe("Part of a name, topic or purpose. Empty lists all channels"),
  includeArchived: z.boolean().default(false),
});

const channel = z
  .string()
  .min(1)
  .max(100)
  .describe("Channel name, with or without #, or channel id");

export const membersInput = z.object({ channel });

export const readInput = z.object({
  channel,
  threadTs: z
    .string()
    .regex(/^\d{9,11}\.\d{1,6}$/)
    .optional()
    .describe("The ts of a message, to read its thread"),
  since: z
    .string()
    .optional()
    .describe(
      "Only messages after this time, such as 2026-03-30 or 2026-03-30T09:00+02:00. UTC if it has no offset",
    ),
  until: z.string().optional().describe("Only messages before this time, in the same form"),
  limit: z.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe(
      "nextCursor of the previous result: older messages of a channel, later ones of a thread",
    ),
});
