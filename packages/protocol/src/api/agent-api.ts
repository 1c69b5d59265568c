import { z } from "zod";
import { jsonObjectSchema, jsonSchema } from "../json.ts";
import { attachedContextSchema } from "../run.ts";
import { endpoints } from "./endpoint.ts";

/**
 * Longer lists are truncated, not refused. The newest messages and the first context entries are
 * kept.
 */
const agentBounds = { conversation: 40, attachedContext: 12 } as const;

export const agentRequestSchema = z.object({
  prompt: z.string(),
  threadId: z.string().max(200).optional(),
  conversation: z
    .array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() }))
    .transform((messages) => messages.slice(-agentBounds.conversation))
    .optional(),
  attachedContext: z
    .array(attachedContextSchema)
    .transform((entries) => entries.slice(0, agentBounds.attachedContext))
    .optional(),
});
export type AgentRequest = z.input<typeof agentRequestSchema>;

export const agentResponseSchema = z.object({
  ok: z.boolean(),
  runId: z.string(),
  /** The ID of the last tool call, or of the run if it made no tool call. */
  actionId: z.string(),
  threadId: z.string(),
  status: z.enum(["completed", "awaiting_confirmation", "failed", "canceled"]),
  summary: z.string(),
  mode: z.enum(["assistant_text", "tool_executed", "requires_approval"]),
  model: z.string(),
  tool: z.string().optional(),
  toolArgs: jsonObjectSchema.optional(),
  approval: z
    .object({
      id: z.string(),
      tool: z.string(),
      reason: z.string(),
      preview: z.string(),
      digest: z.string(),
      expiresAt: z.string(),
    })
    .optional(),
  output: jsonSchema.optional(),
  /** Set when the run failed. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type AgentResponse = Readonly<z.infer<typeof agentResponseSchema>>;

/** The lines of the streaming endpoint. */
export const agentLineSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("status"),
    status: z.string(),
    threadId: z.string(),
    runId: z.string(),
  }),
  z.object({ type: z.literal("delta"), delta: z.string() }),
  z.object({ type: z.literal("thought_delta"), delta: z.string() }),
  z.object({ type: z.literal("tool_call"), toolName: z.string(), preview: z.string() }),
  z.object({ type: z.literal("result"), result: agentResponseSchema }),
  z.object({ type: z.literal("error"), error: z.string() }),
]);
export type AgentLine = Readonly<z.infer<typeof agentLineSchema>>;

/** The run has not ended, or the server is shutting down. The client polls again. */
const stillRunning = {
  202: {
    summary: "Still running. Poll the URL in `Location`.",
    response: z.object({ status: z.literal("executing") }),
  },
} as const;

const agent = {
  tag: "Agent runtime",
  scope: "run",
  rate: "createRun",
  idempotent: true,
  body: agentRequestSchema,
} as const;

export const agentApi = endpoints({
  "POST /api/agent/run": {
    summary: "Run a task and wait for the result.",
    ...agent,
    also: stillRunning,
    response: agentResponseSchema,
  },
  "POST /api/agent/run/stream": {
    summary: "Run a task and stream events as NDJSON. Ends with a `result` or an `error`.",
    ...agent,
    response: "application/x-ndjson",
  },
  "GET /api/agent/run/:id": {
    summary: "Get a run's result, e.g. after a dropped connection. 202 while it is still running.",
    tag: "Agent runtime",
    scope: "read",
    also: stillRunning,
    response: agentResponseSchema,
  },
});
