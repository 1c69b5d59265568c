import { z } from "zod";
import { jsonObjectSchema, jsonSchema } from "../json.ts";
import { attachedContextSchema } from "../run.ts";
import { endpoints } from "./endpoint.ts";

/** What does not fit is left out, not refused: the newest words and the first entries are kept. */
export const agentBounds = { conversation: 40, attachedContext: 12 } as const;

export const agentRequestSchema = z.object({
  prompt: z.string(),
  threadId: z.string().max(200).optional(),
  conversation: z
    .array(z.object({ role: z.enum(["user", "assistant"]), text: z.string() }))
    .transform((words) => words.slice(-agentBounds.conversation))
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
  /** Of the last tool call; the run's own if there was none. */
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
  /** Why it failed. */
  error: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type AgentResponse = Readonly<z.infer<typeof agentResponseSchema>>;

/** The lines of the streaming form. */
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

/** The server closes, or somebody asks too early: ask again. */
const underWay = {
  202: {
    summary: "It is under way; `Location` says where to ask.",
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
    summary: "Give a task and wait for the answer.",
    ...agent,
    also: underWay,
    response: agentResponseSchema,
  },
  "POST /api/agent/run/stream": {
    summary: "Give a task and watch: lines of JSON, at last one `result` or one `error`.",
    ...agent,
    response: "application/x-ndjson",
  },
  "GET /api/agent/run/:id": {
    summary: "The answer of a run, for whoever lost the connection; 202 while it is under way.",
    tag: "Agent runtime",
    scope: "read",
    also: underWay,
    response: agentResponseSchema,
  },
});
