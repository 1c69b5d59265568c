import { z } from "zod";

export const channelsInput = z.object({
  query: z
    .string()
    .max(100)
    .default("")
    .describe("Part of a name, topic or purpose; empty lists all"),
  includeArchived: z.boolean().default(false),
});

export const readInput = z.object({
  channel: z.string().min(1).max(100).describe("Its name, with or without #, or its id"),
  threadTs: z
    .string()
    .regex(/^\d{9,11}\.\d{1,6}$/)
    .optional()
    .describe("The ts of a message: reads its conversation"),
  since: z
    .string()
    .optional()
    .describe(
      "Only what was written after this time, such as 2026-03-30 or 2026-03-30T09:00+02:00; UTC if it names no offset",
    ),
  until: z.string().optional().describe("Only what was written before this time, likewise"),
  limit: z.number().int().min(1).max(200).default(50),
  cursor: z
    .string()
    .max(500)
    .optional()
    .describe(
      "nextCursor of the answer before: older messages of a channel, later ones of a conversation",
    ),
});
