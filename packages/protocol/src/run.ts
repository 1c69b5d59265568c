import { z } from "zod";
import { settlements } from "./audit.ts";
import { capsSchema } from "./caps.ts";
import { actionErrorSchema } from "./action-failure.ts";
import { closingReasonSchema } from "./closing-reason.ts";
import { contextSchema } from "./context.ts";
import { errorCodes } from "./errors.ts";
import { failureSchema } from "./failure.ts";
import { jsonObjectSchema, jsonSchema } from "./json.ts";
import { keptOutputSchema } from "./kept-output.ts";
import { actionStates, approvalStates, effectStates, runStates } from "./states.ts";
import { placeSchema } from "./place.ts";
import { policyReasonSchema } from "./policy-reason.ts";
import { runResultSchema } from "./run-result.ts";
import { effectGroupSchema, riskSchema } from "./trust.ts";
import { waitsForSchema } from "./waits-for.ts";

/** The longest task, with its context. */
export const maxPromptBytes = 200_000;

export const attachedContextSchema = z.object({
  type: z.enum(["email", "calendar_event", "briefing"]),
  id: z.string().min(1).max(500),
  title: z.string().max(2_000).optional(),
  snippet: z.string().max(20_000).optional(),
  meta: z.record(z.string(), z.unknown()).optional(),
});
export type AttachedContext = z.infer<typeof attachedContextSchema>;

/**
 * The input for a new run. The runtime checks the size of the task, because that error has its own
 * code.
 */
export const createRunSchema = z.strictObject({
  /** The owner's own words. */
  prompt: z.string(),
  context: contextSchema.optional(),
  title: z.string().max(200).optional(),
  bronId: z.uuid().optional(),
  threadId: z.uuid().optional(),
  attachedContext: z.array(attachedContextSchema).max(12).optional(),
  caps: capsSchema.partial().optional(),
  /** The name of a configured model. The default is the model of the Bron. */
  model: z.string().trim().min(1).max(200).optional(),
  /** Uploads to attach to the run. */
  uploadIds: z.array(z.uuid()).max(20).optional(),
  /** Where the run must be advanced. By default anywhere. */
  place: placeSchema.optional(),
  /** The run starts no earlier than this many milliseconds from now. */
  delayMs: z
    .number()
    .int()
    .nonnegative()
    .max(366 * 86_400_000)
    .optional(),
});
export type CreateRun = z.input<typeof createRunSchema>;

const id = z.uuid();
const time = z.iso.datetime();

export const runViewSchema = z.object({
  id,
  ownerId: z.string(),
  bronId: id,
  threadId: id,
  parentRunId: id.nullable(),
  /** The run that this one retries. */
  retryOf: id.nullable(),
  /** The schedule or watch that started the run, and the time at which it was due. */
  scheduleId: id.nullable(),
  dueAt: time.nullable(),
  title: z.string(),
  prompt: z.string(),
  status: z.enum(runStates),
  cancelRequested: z.boolean(),
  /**
   * Whether a worker should advance the run. False while it is parked or after it ended, and true
   * again once an approval is decided.
   */
  runnable: z.boolean(),
  /** What the parked run, or one of its child runs, waits for. Null: nothing from outside. */
  waitsFor: waitsForSchema.nullable(),
  /** Where the run must be advanced. Null: anywhere. */
  place: placeSchema.nullable(),
  summary: z.string().nullable(),
  ...runResultSchema.shape,
  error: failureSchema.nullable(),
  caps: capsSchema,
  lastSeq: z.number().int(),
  spentMicrousd: z.number().int(),
  createdAt: time,
  startedAt: time.nullable(),
  finishedAt: time.nullable(),
});
export type RunView = Readonly<z.infer<typeof runViewSchema>>;

export const actionViewSchema = z.object({
  id: z.string(),
  runId: id,
  step: z.number().int(),
  tool: z.string(),
  state: z.enum(actionStates),
  input: jsonSchema,
  output: jsonSchema.nullable(),
  error: actionErrorSchema.nullable(),
  /** Set if the output is a preview of a longer one. */
  kept: keptOutputSchema.optional(),
});
export type ActionView = Readonly<z.infer<typeof actionViewSchema>>;

export const effectViewSchema = z.object({
  id,
  runId: id,
  actionId: z.string(),
  tool: z.string(),
  state: z.enum(effectStates),
  digest: z.string(),
  attempts: z.number().int(),
  deadlineAt: time.nullable(),
  outcome: jsonSchema.nullable(),
  /** What the owner reported about an effect whose outcome was unknown. */
  settled: z.object({ as: z.enum(settlements), at: time, note: z.string().nullable() }).nullable(),
  /** When the owner restored the text that this effect had replaced. */
  restoredAt: time.nullable(),
  /** The owner is not asked. The effect starts no earlier, and the owner can undo it until then. */
  undoUntil: time.nullable(),
});
export type EffectView = Readonly<z.infer<typeof effectViewSchema>>;

export const approvalViewSchema = z.object({
  id,
  runId: id,
  actionId: z.string(),
  effectId: id,
  tool: z.string(),
  state: z.enum(approvalStates),
  digest: z.string(),
  /** Why the owner is asked. */
  reasons: z.array(policyReasonSchema).readonly(),
  preview: z.string(),
  prepared: jsonSchema,
  /** Null if it was asked about before kinds were known. */
  kind: effectGroupSchema.nullable(),
  /**
   * The same for effects of one kind from one step, which one decision can cover. Null: decide it
   * alone.
   */
  group: z.string().nullable(),
  /** Values that untrusted text may have chosen. */
  risks: z.array(riskSchema).readonly(),
  /** What the owner changed, if this approval replaced one that they edited. */
  diff: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })).readonly(),
  /**
   * The fields that can be edited, with their current values. Absent if the approval cannot be
   * edited.
   */
  editable: jsonObjectSchema.optional(),
  /** The owner's reply instead of a decision. */
  reply: z.string().nullable(),
  /** An approved effect starts no earlier. Until then the owner can undo the approval. */
  undoUntil: time.nullable(),
  /** Until then the owner can undo the denial. The run waits so long. */
  reopenUntil: time.nullable(),
  /** How often a denial was undone. */
  reopened: z.number().int(),
  /** Until then it is left out of counts and of lists of what is pending now. */
  snoozedUntil: time.nullable(),
  decisionReason: z.string().nullable(),
  createdAt: time,
  expiresAt: time,
  decidedAt: time.nullable(),
});
export type ApprovalView = Readonly<z.infer<typeof approvalViewSchema>>;

/** The result of one decision in a batch. */
export const approvalOutcomeSchema = z.discriminatedUnion("ok", [
  z.object({ id: z.string(), ok: z.literal(true), approval: approvalViewSchema }),
  z.object({
    id: z.string(),
    ok: z.literal(false),
    error: z.object({
      code: z.enum(errorCodes),
      message: z.string(),
      why: closingReasonSchema.optional(),
    }),
  }),
]);
export type ApprovalOutcome = Readonly<z.infer<typeof approvalOutcomeSchema>>;

export const artifactViewSchema = z.object({
  id,
  runId: id,
  kind: z.string(),
  name: z.string(),
  mediaType: z.string(),
  digest: z.string(),
  sizeBytes: z.number().int(),
  data: jsonObjectSchema.nullable(),
  createdAt: time,
});
export type ArtifactView = Readonly<z.infer<typeof artifactViewSchema>>;

/** What a page needs to know about the server. */
export const aboutViewSchema = z.object({
  version: z.string(),
  /** Accounts are simulated. `/api/demo` shows them. */
  demoMail: z.boolean(),
  demoModel: z.boolean(),
  model: z.string(),
  /** Example tasks that work with this model and these tools. */
  suggestions: z.array(z.string()).readonly(),
});
export type AboutView = Readonly<z.infer<typeof aboutViewSchema>>;

/** An external service with the owner's account there, if one is connected. */
/**
 * Where the OAuth app of a provider comes from: the program or its variables, the page, the sandbox,
 * or nowhere yet.
 */
export const connectionSetups = ["configured", "stored", "simulated", "missing"] as const;
export type ConnectionSetup = (typeof connectionSetups)[number];

export const connectionViewSchema = z.object({
  provider: z.string(),
  setup: z.enum(connectionSetups),
  account: z.string().nullable(),
  scopes: z
    .array(z.object({ scope: z.string(), why: z.string(), granted: z.boolean() }))
    .readonly(),
});
export type ConnectionView = Readonly<z.infer<typeof connectionViewSchema>>;
