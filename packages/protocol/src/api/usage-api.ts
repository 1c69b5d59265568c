import { z } from "zod";
import { endpoints } from "./endpoint.ts";

const day = z.object({
  /** In the time zone of the request. */
  day: z.iso.date(),
  runs: z.number().int(),
  /** Completed runs by their outcome: done, partly done, could not, needs an answer, denied. */
  succeeded: z.number().int(),
  inPart: z.number().int(),
  couldNot: z.number().int(),
  needsAnswer: z.number().int(),
  deniedRuns: z.number().int(),
  failed: z.number().int(),
  canceled: z.number().int(),
  inputTokens: z.number().int(),
  /** The part of `inputTokens` that came from a provider's cache. */
  cachedInputTokens: z.number().int(),
  outputTokens: z.number().int(),
  costMicrousd: z.number().int(),
  approved: z.number().int(),
  denied: z.number().int(),
  toolCalls: z.number().int(),
});

const usageViewSchema = z.object({
  days: z.array(day),
  total: day.omit({ day: true }).extend({
    /** The share of finished runs that succeeded. Null while no run has finished. */
    successRate: z.number().min(0).max(1).nullable(),
    /** From start to end, without the time in which a run waited for approvals and answers. */
    medianSeconds: z.number().nullable(),
    /** The same time, of all finished runs together. */
    workedSeconds: z.number(),
    /** From the request for an approval to the owner's decision. */
    medianApprovalSeconds: z.number().nullable(),
  }),
});
export type UsageView = Readonly<z.infer<typeof usageViewSchema>>;

export const usageApi = endpoints({
  "GET /api/usage": {
    summary: "Runs, success, tokens, cost and approvals by day.",
    tag: "You",
    scope: "read",
    query: z.object({
      days: z.coerce.number().int().min(1).max(366).default(30),
      zone: z.string().max(64).default("UTC"),
    }),
    response: usageViewSchema,
  },
});
