import { z } from "zod";
import { approvalBackgroundSchema } from "../approval-background.ts";
import { draftViewSchema } from "../draft-view.ts";
import { settlements } from "../audit.ts";
import { contextSchema } from "../context.ts";
import { jsonSchema } from "../json.ts";
import { approvalOutcomeSchema, approvalViewSchema, effectViewSchema } from "../run.ts";
import {
  endpoints,
  idPrefixSchema,
  runItemsQuery,
  emptyBodySchema,
  pageOf,
  reasonSchema,
} from "./endpoint.ts";

const digest = z.string().min(1).max(200);
const seenApproval = z.strictObject({ id: z.string().min(1).max(200), digest });
const maxBatchSize = 100;

export const approvalsApi = endpoints({
  "GET /api/approvals": {
    summary: "List approvals.",
    tag: "Approvals",
    scope: "read",
    query: z.object({
      ...runItemsQuery,
      pending: z.stringbool().optional(),
      idPrefix: idPrefixSchema.optional(),
    }),
    response: pageOf("approvals", approvalViewSchema, z.uuid()),
  },
  "GET /api/approvals/:id": {
    summary:
      "Get an approval: what will be sent, why it needs approval, and where risky values came from.",
    tag: "Approvals",
    scope: "read",
    response: approvalViewSchema,
  },
  "GET /api/approvals/:id/background": {
    summary:
      "Get what may help to decide: the email that is being answered, or the other events of that day.",
    tag: "Approvals",
    scope: "read",
    response: z.object({ background: approvalBackgroundSchema.nullable() }),
  },
  "POST /api/approvals/:id/approve": {
    summary: "Approve the content with this digest, once.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({ digest }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/deny": {
    summary: "Deny it. The run continues without it.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({ digest, reason: reasonSchema }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/edit": {
    summary: "Edit fields. Creates a new approval.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({ digest, changes: z.record(z.string(), jsonSchema) }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/reply": {
    summary: "Request changes in words. Nothing is sent.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    body: z.strictObject({ digest, words: z.string(), context: contextSchema.optional() }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/undo": {
    summary: "Undo an approval or a denial during the undo window.",
    tag: "Approvals",
    scope: "approve",
    body: emptyBodySchema,
    response: approvalViewSchema,
  },
  "POST /api/approvals/:id/snooze": {
    summary:
      "Hide it from counts until a time, or show it again with `until: null`. It still expires.",
    tag: "Approvals",
    scope: "approve",
    body: z.strictObject({ until: z.iso.datetime({ offset: true }).nullable() }),
    response: approvalViewSchema,
  },
  "POST /api/approvals/batch": {
    summary: "Decide several approvals at once. Each has its own outcome.",
    tag: "Approvals",
    scope: "approve",
    rate: "approve",
    rateCost: ({
      approve,
      deny,
    }: {
      readonly approve: readonly unknown[];
      readonly deny: readonly unknown[];
    }) => approve.length + deny.length,
    body: z.strictObject({
      approve: z.array(seenApproval).max(maxBatchSize).default([]),
      deny: z
        .array(seenApproval.extend({ reason: reasonSchema }))
        .max(maxBatchSize)
        .default([]),
    }),
    response: z.object({
      approve: z.array(approvalOutcomeSchema),
      deny: z.array(approvalOutcomeSchema),
    }),
  },
  "POST /api/runs/:id/approve-send": {
    summary: "Decide a run's only pending approval. A digest is required if it is ambiguous.",
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
    summary: "List effects with an unconfirmed outcome.",
    tag: "Effects",
    scope: "read",
    response: z.object({ effects: z.array(effectViewSchema) }),
  },
  "GET /api/effects/:id": {
    summary: "Get an effect.",
    tag: "Effects",
    scope: "read",
    response: effectViewSchema,
  },
  "POST /api/effects/:id/settle": {
    summary: "Resolve an effect with an unconfirmed outcome.",
    tag: "Effects",
    scope: "approve",
    body: z.strictObject({ as: z.enum(settlements), note: reasonSchema }),
    response: effectViewSchema,
  },
  "POST /api/effects/:id/undo": {
    summary: "Undo an effect that needed no approval, before it starts.",
    tag: "Effects",
    scope: "approve",
    body: emptyBodySchema,
    response: effectViewSchema,
  },
  "POST /api/effects/:id/discard": {
    summary: "Delete the draft that an effect left in the mailbox.",
    tag: "Effects",
    scope: "approve",
    body: emptyBodySchema,
    response: draftViewSchema,
  },
  "POST /api/effects/:id/restore": {
    summary:
      "Restore the text that an effect replaced. Works once, and only if the text has not changed since.",
    tag: "Effects",
    scope: "approve",
    body: emptyBodySchema,
    response: effectViewSchema,
  },
});
