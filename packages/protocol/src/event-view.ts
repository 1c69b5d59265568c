import { z } from "zod";
import { actionErrorSchema } from "./action-failure.ts";
import { authReasonSchema } from "./auth-reason.ts";
import { cardSchemas, type CardKind } from "./cards.ts";
import { clientActionStates, expiryMeanings } from "./client-action.ts";
import { contextSchema, splitWordsSchema } from "./context.ts";
import { intentSchema } from "./intent.ts";
import { jsonObjectSchema, jsonSchema } from "./json.ts";
import { failureModes, loggedApprovalStates } from "./events.ts";
import { failureSchema } from "./failure.ts";
import { keptOutputSchema } from "./kept-output.ts";
import { logLineSchema } from "./log-line.ts";
import { notDoneSchema } from "./not-done.ts";
import { policyReasonSchema } from "./policy-reason.ts";
import { answerSchemaSchema, questionStates } from "./question.ts";
import { placeSchema } from "./place.ts";
import { runOutcomes } from "./run-outcome.ts";
import { runResultSchema } from "./run-result.ts";
import { labelPartSchema } from "./source-item.ts";
import { effectStates, runStates } from "./states.ts";
import { effectGroupSchema, origins, riskSchema } from "./trust.ts";
import { writerSchema, writtenThingsSchema } from "./written-things.ts";

/** The entries of a run's log as HTTP responses contain them. */

const outcomes = ["completed", "failed", "rejected", "unknown", "canceled"] as const;
const label = z.object({
  origin: z.enum(origins),
  trusted: z.boolean(),
  private: z.boolean(),
  readers: z.array(z.string()).readonly(),
  parts: z.array(labelPartSchema).readonly().optional(),
});

const fieldDiffs = z.array(z.object({ field: z.string(), before: z.string(), after: z.string() }));

const auxiliaryCall = { callId: z.string(), purpose: z.string() };

const payloads = {
  status: z.object({
    status: z.enum(runStates),
    ...failureSchema.partial().shape,
    activeMs: z.number().optional(),
    retry: z.object({ runId: z.string(), notDone: z.array(z.string()) }).optional(),
    parentRunId: z.string().optional(),
    model: z.string().optional(),
    allowedTools: z.array(z.string()).optional(),
    kind: z.literal("upkeep").optional(),
    ...runResultSchema.partial().shape,
  }),
  log: logLineSchema,
  message: z.discriminatedUnion("role", [
    z.object({
      role: z.literal("user"),
      content: z.string(),
      context: contextSchema.readonly().optional(),
      from: z.literal("parent").optional(),
      messageId: z.string().optional(),
      program: z.string().optional(),
      asTyped: z.literal(true).optional(),
      split: splitWordsSchema.optional(),
      trusted: z.boolean().optional(),
    }),
    z.object({
      role: z.literal("assistant"),
      content: z.string(),
      step: z.number().int(),
      final: z.boolean(),
      trusted: z.boolean().optional(),
    }),
  ]),
  tool: z.discriminatedUnion("phase", [
    z.object({
      phase: z.literal("start"),
      actionId: z.string(),
      name: z.string(),
      attempt: z.number().int(),
    }),
    z.object({
      phase: z.literal("end"),
      actionId: z.string(),
      name: z.string(),
      outcome: z.enum(outcomes),
      output: jsonSchema.optional(),
      error: actionErrorSchema.optional(),
      notDone: notDoneSchema.optional(),
      reused: z.object({ runId: z.string(), actionId: z.string() }).optional(),
      unproposed: z.literal(true).optional(),
      rewriteKey: z.string().optional(),
      kept: keptOutputSchema.optional(),
      label: label.optional(),
    }),
  ]),
  ui: z.object({
    kind: z.enum(Object.keys(cardSchemas) as [CardKind, ...CardKind[]]),
    payload: jsonObjectSchema,
  }),
  artifact: z.object({
    artifactId: z.string(),
    kind: z.string(),
    name: z.string(),
    mediaType: z.string(),
    digest: z.string(),
    sizeBytes: z.number().int(),
    effectId: z.string().optional(),
  }),
  child_run: z.object({
    childRunId: z.string(),
    title: z.string(),
    status: z.enum(runStates),
    error: failureSchema.optional(),
    notDone: z.number().int().optional(),
    outcome: z.enum(runOutcomes).optional(),
    spawnedBy: z.string().optional(),
    failureMode: z.enum(failureModes).optional(),
    insteadOf: z.string().optional(),
    actionId: z.string().optional(),
  }),
  tool_set: z.object({
    tools: z.record(z.string(), z.string()),
    aliases: z.record(z.string(), z.string()).optional(),
  }),
  skill_set: z.object({
    skills: z.record(
      z.string(),
      z.object({ digest: z.string(), allowedTools: z.array(z.string()).readonly().optional() }),
    ),
  }),
  step: z.discriminatedUnion("phase", [
    z.object({
      phase: z.literal("start"),
      step: z.number().int(),
      attempt: z.number().int(),
      model: z.string(),
      reservedMicrousd: z.number(),
      requestDigest: z.string().optional(),
      files: z.array(z.string()).optional(),
      activeMs: z.number(),
    }),
    z.object({
      phase: z.literal("end"),
      step: z.number().int(),
      attempt: z.number().int(),
      finish: z.string(),
      calls: z.array(
        z.object({ actionId: z.string(), callId: z.string(), tool: z.string(), input: jsonSchema }),
      ),
    }),
  ]),
  usage: z.object({
    step: z.number().int(),
    auxiliaryCallId: z.string().optional(),
    attempt: z.number().int(),
    model: z.string(),
    outcome: z.enum(["settled", "failed", "lost"]),
    inputTokens: z.number(),
    cachedInputTokens: z.number().optional(),
    outputTokens: z.number(),
    reasoningTokens: z.number(),
    costMicrousd: z.number(),
    error: failureSchema.optional(),
    retryAt: z.number().optional(),
    nextModel: z.string().optional(),
    withoutFiles: z.literal(true).optional(),
  }),
  effect: z.object({
    effectId: z.string(),
    actionId: z.string(),
    tool: z.string(),
    state: z.enum(effectStates),
    digest: z.string(),
    prepared: jsonSchema.optional(),
    /** With `awaiting_confirmation`: the fields that the owner can edit, with their values. */
    editable: jsonObjectSchema.optional(),
    formVersion: z.number().int().optional(),
    preview: z.string().optional(),
    reasons: z.array(policyReasonSchema).optional(),
    asks: z.array(z.string()).optional(),
    typed: z.string().optional(),
    risks: z.array(riskSchema).optional(),
    reads: z
      .object({
        results: z.array(z.object({ label, value: jsonSchema })),
        writers: z.array(writerSchema),
      })
      .optional(),
    undoUntil: z.number().optional(),
    undone: z.literal(true).optional(),
    by: z.string().optional(),
    attempt: z.number().int().optional(),
    deadlineMs: z.number().optional(),
    look: z.number().int().optional(),
    evidence: jsonSchema.optional(),
    outcome: jsonSchema.optional(),
    wrote: writtenThingsSchema.optional(),
    error: actionErrorSchema.optional(),
    retryAt: z.number().optional(),
  }),
  approval: z.object({
    approvalId: z.string(),
    actionId: z.string(),
    effectId: z.string(),
    tool: z.string(),
    digest: z.string(),
    state: z.enum(loggedApprovalStates),
    reasons: z.array(policyReasonSchema).optional(),
    reason: z.string().optional(),
    preview: z.string().optional(),
    expiresAt: z.string().optional(),
    by: z.string().optional(),
    kind: effectGroupSchema.optional(),
    risks: z.array(riskSchema).optional(),
    diff: fieldDiffs.optional(),
    edit: jsonObjectSchema.optional(),
    reply: z.string().optional(),
    context: contextSchema.readonly().optional(),
    program: z.string().optional(),
    split: splitWordsSchema.optional(),
    undoUntil: z.number().optional(),
    undone: z.boolean().optional(),
    reopenUntil: z.number().optional(),
    reopened: z.boolean().optional(),
  }),
  auth: z.discriminatedUnion("state", [
    z.object({
      state: z.literal("needed"),
      provider: z.string(),
      why: authReasonSchema.optional(),
      reason: z.string().optional(),
      actionId: z.string(),
    }),
    z.object({ state: z.literal("connected"), provider: z.string() }),
  ]),
  cancel: z.object({
    by: z.string(),
    reason: z.string().optional(),
    cause: z.literal("parent_ended").optional(),
  }),
  owner_message: z.object({
    messageId: z.string(),
    content: z.string(),
    context: contextSchema.readonly().optional(),
    program: z.string().optional(),
    asTyped: z.literal(true).optional(),
    split: splitWordsSchema.optional(),
    by: z.string(),
  }),
  question: z.object({
    questionId: z.string(),
    actionId: z.string(),
    state: z.enum(questionStates),
    text: z.string().optional(),
    choices: z.array(z.string()).optional(),
    schema: answerSchemaSchema.optional(),
    default: z.string().optional(),
    expiresAt: z.string().optional(),
    typed: z.string().optional(),
    context: contextSchema.readonly().optional(),
    program: z.string().optional(),
    split: splitWordsSchema.optional(),
    choice: z.string().optional(),
    by: z.string().optional(),
  }),
  client_action: z.object({
    actionId: z.string(),
    state: z.enum(clientActionStates),
    program: z.string().optional(),
    tool: z.string().optional(),
    input: jsonSchema.optional(),
    expiresAt: z.string().optional(),
    ifExpired: z.enum(expiryMeanings).optional(),
    result: jsonSchema.optional(),
    error: z.string().optional(),
  }),
  auxiliary_call: z.discriminatedUnion("phase", [
    z.object({
      phase: z.literal("start"),
      ...auxiliaryCall,
      attempt: z.number().int(),
      model: z.string(),
      reservedMicrousd: z.number(),
      requestDigest: z.string(),
      activeMs: z.number(),
    }),
    z.object({
      phase: z.literal("invalid"),
      ...auxiliaryCall,
      attempt: z.number().int(),
      model: z.string(),
      text: z.string(),
      problem: z.string(),
    }),
    z.object({
      phase: z.literal("end"),
      ...auxiliaryCall,
      output: jsonSchema.optional(),
      error: failureSchema.optional(),
    }),
  ]),
  place: z.object({ place: placeSchema.nullable(), by: z.string().optional() }),
  intent: intentSchema,
  summary: z.discriminatedUnion("of", [
    z.object({ of: z.literal("memory"), text: z.string(), version: z.number().int() }),
    z.object({
      of: z.literal("conversation"),
      text: z.string(),
      upTo: z.string(),
      trusted: z.boolean(),
    }),
    z.object({
      of: z.literal("run"),
      text: z.string(),
      messages: z.number().int(),
      trusted: z.boolean(),
      origins: z.array(z.enum(origins)),
    }),
  ]),
} as const;

const envelope = { runId: z.uuid(), seq: z.number().int(), createdAt: z.iso.datetime() };

function entry<T extends keyof typeof payloads>(type: T) {
  return z.object({ ...envelope, type: z.literal(type), payload: payloads[type] });
}

export const eventViewSchema = z.discriminatedUnion("type", [
  entry("status"),
  entry("log"),
  entry("message"),
  entry("tool"),
  entry("ui"),
  entry("artifact"),
  entry("child_run"),
  entry("tool_set"),
  entry("skill_set"),
  entry("step"),
  entry("usage"),
  entry("effect"),
  entry("approval"),
  entry("auth"),
  entry("cancel"),
  entry("owner_message"),
  entry("question"),
  entry("client_action"),
  entry("auxiliary_call"),
  entry("place"),
  entry("intent"),
  entry("summary"),
]);
