import { z } from "zod";
import { settlements } from "../audit.ts";
import { jsonSchema } from "../json.ts";
import { approvalOutcomeSchema, approvalViewSchema, effectViewSchema } from "../run.ts";
import {
  endpoints,
  idPrefixSchema,
  limitSchema,
  nothingSchema,
  pageOf,
  reasonSchema,
} from "./endpoint.ts";

const digest = z.string().min(1).max(200);
const seen = z.strictObject({ id: z.string().min(1).max(200), digest });
const mostAtOnce = 100;

export const approvalsApi = endpoints({
  "GET /api/approvals": {
    summary: "What waits for a decision, or waited.",
    tag: "Approvals",
    scope: "read",
    query: z.object({
      runId: z.uuid().optional(),
      pending: z.stringbool().optional(),
      idPrefix: idPrefixSchema.optional(),
      limit: limitSchema,
      after: z.uuid().optional(),
    }),
    /** Oldest first: `next` is what to give as `after`. */
    response: pageOf("approvals", approvalViewSchema, z.uuid()),
  },
  "GET /api/approvals/:id": {
    summary: "Exactly what would leave, why it is asked, and where risky values came from.",
    tag: "Approvals",
    scope: "read",
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/approve": {
    summary: "Allow exactly what has this digest, once.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({ digest }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/deny": {
    summary: "Refuse it; the run goes on without.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({ digest, reason: reasonSchema }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/edit": {
    summary: "Change fields; it is prepared anew and asked again.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({ digest, changes: z.record(z.string(), jsonSchema) }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/reply": {
    summary: "Not done; the run goes on with these words.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({ digest, words: z.string() }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/undo": {
    summary: "Take an approval back while its delay runs.",
    tag: "Approvals",
    scope: "approve",
    body: nothingSchema,
    response: approvalViewSchema,
  },
  "POST /api/approvals/batch": {
    summary: "Several decisions, each by its own digest, each with its own outcome.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    turns: ({
      approve,
      deny,
    }: {
      readonly approve: readonly unknown[];
      readonly deny: readonly unknown[];
    }) => approve.length + deny.length,
    body: z.strictObject({
      approve: z.array(seen).max(mostAtOnce).default([]),
      deny: z
        .array(seen.extend({ reason: reasonSchema }))
        .max(mostAtOnce)
        .default([]),
    }),
    response: z.object({
      approve: z.array(approvalOutcomeSchema),
      deny: z.array(approvalOutcomeSchema),
    }),
  },
  "POST /api/runs/:id/approve-send": {
    summary:
      "Decide on the one approval that a run waits for; without a digest only if there is no doubt which one was seen.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({
      approved: z.boolean(),
      digest: digest.optional(),
      reason: reasonSchema,
    }),
    response: approvalViewSchema,
  },
  "GET /api/effects": {
    summary: "What left, of which nobody knows whether it happened.",
    tag: "Effects",
    scope: "read",
    response: z.object({ effects: z.array(effectViewSchema) }),
  },
  "GET /api/effects/:id": {
    summary: "One effect.",
    tag: "Effects",
    scope: "read",
    response: effectViewSchema,
  },
  "POST /api/effects/:id/settle": {
    summary: "Say whether it happened.",
    tag: "Effects",
    scope: "approve",
    body: z.strictObject({ as: z.enum(settlements), note: reasonSchema }),
    response: effectViewSchema,
  },
});
