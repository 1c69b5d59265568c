import { z } from "zod";
import { auditFilterSchema, auditViewSchema } from "../audit.ts";
import { demoFaultSchema, demoViewSchema } from "../demo.ts";
import { aboutViewSchema, connectionViewSchema } from "../run.ts";
import {
  allowedSchema,
  grantSchema,
  permissionsViewSchema,
  ruleSchema,
  trustLevelSchema,
} from "../trust.ts";
import { endpoints, limitSchema, nothingSchema, pageOf, scopeSchema } from "./endpoint.ts";

/** Who asks, as the server understood it. */
export const meViewSchema = z.object({
  ownerId: z.string(),
  via: z.enum(["link", "firebase", "token", "terminal"]),
  scopes: z.array(scopeSchema).readonly(),
  email: z.string().nullable(),
});
export type MeView = Readonly<z.infer<typeof meViewSchema>>;

export const sessionViewSchema = z.object({
  id: z.string(),
  via: z.enum(["link", "firebase"]),
  /** What the browser said of itself. */
  userAgent: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** The one that asks. */
  current: z.boolean(),
});
export type SessionView = Readonly<z.infer<typeof sessionViewSchema>>;

export const tokenViewSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(scopeSchema).readonly(),
  /** Its last characters, to know it by. */
  hint: z.string(),
  /** The token that made it, if one did: it ends and is revoked with that one. */
  madeBy: z.uuid().nullable(),
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime().nullable(),
  expiresAt: z.iso.datetime().nullable(),
});
export type TokenView = Readonly<z.infer<typeof tokenViewSchema>>;
export const newTokenSchema = z.strictObject({
  name: z.string().trim().min(1).max(80),
  scopes: z.array(scopeSchema).min(1).default(["read"]),
  days: z.number().int().min(1).max(366).optional(),
});
export type NewToken = z.input<typeof newTokenSchema>;

export const modelProviders = ["gemini", "anthropic", "openai"] as const;
export type ModelProvider = (typeof modelProviders)[number];

/** A model key of the owner's own; the key itself never comes out again. */
export const modelKeyViewSchema = z.object({
  provider: z.enum(modelProviders),
  hint: z.string(),
  model: z.string().nullable(),
  updatedAt: z.iso.datetime(),
});
export type ModelKeyView = Readonly<z.infer<typeof modelKeyViewSchema>>;
const newModelKeySchema = z.strictObject({
  key: z.string().trim().min(8).max(500),
  model: z.string().trim().min(1).max(200).optional(),
});

const day = z.object({
  /** As the reader's zone has it. */
  day: z.iso.date(),
  runs: z.number().int(),
  /** To the end, with all that it was to change. */
  succeeded: z.number().int(),
  /** To the end, but something was declined or failed. */
  inPart: z.number().int(),
  failed: z.number().int(),
  canceled: z.number().int(),
  inputTokens: z.number().int(),
  outputTokens: z.number().int(),
  costMicrousd: z.number().int(),
  approved: z.number().int(),
  denied: z.number().int(),
  toolCalls: z.number().int(),
});

export const usageViewSchema = z.object({
  days: z.array(day),
  total: day.omit({ day: true }).extend({
    /** Of runs that are over; null before the first. */
    successRate: z.number().min(0).max(1).nullable(),
    /** Active and parked, from start to end. */
    medianSeconds: z.number().nullable(),
  }),
});
export type UsageView = Readonly<z.infer<typeof usageViewSchema>>;

const connections = z.object({ connections: z.array(connectionViewSchema) });
const auditFilter = z.object({ runId: z.uuid().optional(), what: auditFilterSchema.optional() });
const permission = {
  tag: "Permissions",
  scope: "manage",
  alsoScope: "approve",
  response: permissionsViewSchema,
} as const;
const demo = { tag: "Demo", response: demoViewSchema } as const;
/** As providers send it. */
const callbackQuery = z.object({
  state: z.string().max(4_000).default(""),
  code: z.string().max(4_000).default(""),
  error: z.string().max(4_000).optional(),
});
const provider = { tag: "Connections", scope: "manage", rate: "connect" } as const;
const modelKeys = z.object({ modelKeys: z.array(modelKeyViewSchema) });

export const ownerApi = endpoints({
  "GET /api/about": {
    summary: "What this Bron is.",
    tag: "You",
    scope: "read",
    response: aboutViewSchema,
  },
  "GET /api/me": {
    summary: "Who asks, and what they may do.",
    tag: "You",
    scope: "read",
    response: meViewSchema,
  },
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
  "GET /api/sessions": {
    summary: "Browsers that are signed in.",
    tag: "You",
    scope: "manage",
    response: z.object({ sessions: z.array(sessionViewSchema) }),
  },
  "DELETE /api/sessions/:id": {
    summary: "Sign one of them out.",
    tag: "You",
    scope: "manage",
    status: 204,
    response: "nothing",
  },
  "POST /api/sessions/end-others": {
    summary: "Sign out every other browser.",
    tag: "You",
    scope: "manage",
    body: nothingSchema,
    response: z.object({ ended: z.number().int() }),
  },
  "GET /api/tokens": {
    summary: "Personal API tokens.",
    tag: "You",
    scope: "manage",
    response: z.object({ tokens: z.array(tokenViewSchema) }),
  },
  "POST /api/tokens": {
    summary: "A new token. It is shown this once.",
    tag: "You",
    scope: "manage",
    body: newTokenSchema,
    status: 201,
    response: z.object({ token: z.string(), view: tokenViewSchema }),
  },
  "DELETE /api/tokens/:id": {
    summary: "Revoke a token, at once and for good.",
    tag: "You",
    scope: "manage",
    status: 204,
    response: "nothing",
  },
  "GET /api/model-keys": {
    summary: "Model keys of your own, without the keys.",
    tag: "You",
    scope: "manage",
    response: modelKeys,
  },
  "PUT /api/model-keys/:provider": {
    summary:
      "Try a model key with one short question, then keep it, encrypted; your runs use it from now on.",
    tag: "You",
    scope: "manage",
    rate: "connect",
    body: newModelKeySchema,
    response: modelKeys.extend({ tried: z.enum(["works", "not_reached"]) }),
  },
  "DELETE /api/model-keys/:provider": {
    summary: "Forget a model key.",
    tag: "You",
    scope: "manage",
    response: modelKeys,
  },

  "GET /api/audit": {
    summary: "Who did what, newest first.",
    tag: "Audit",
    scope: "read",
    query: auditFilter.extend({
      before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
      limit: limitSchema,
    }),
    response: pageOf("audit", auditViewSchema, z.number().int()),
  },
  "GET /api/audit/export": {
    summary: "All of it, a line for each row.",
    tag: "Audit",
    scope: "read",
    query: auditFilter,
    response: "application/jsonl",
  },

  "GET /api/permissions": {
    summary: "What you have laid down about effects.",
    tag: "Permissions",
    scope: "read",
    response: permissionsViewSchema,
  },
  "POST /api/permissions/trust": {
    summary: "Set the trust level, of one Bron or of the default one.",
    ...permission,
    body: z.strictObject({ level: trustLevelSchema, bronId: z.uuid().nullable().default(null) }),
  },
  "POST /api/permissions/rules": {
    summary: "Allow, ask or deny a tool.",
    ...permission,
    body: ruleSchema,
  },
  "POST /api/permissions/allowed": {
    summary: "List a person or a domain.",
    ...permission,
    body: allowedSchema,
  },
  "POST /api/permissions/grants": {
    summary: "Let one tool reach one recipient for some days.",
    ...permission,
    body: grantSchema,
  },
  "POST /api/permissions/rules/:id/remove": {
    summary: "Remove a rule.",
    ...permission,
    body: nothingSchema,
  },
  "POST /api/permissions/allowed/:id/remove": {
    summary: "Take someone off the list.",
    ...permission,
    body: nothingSchema,
  },
  "POST /api/permissions/grants/:id/remove": {
    summary: "Revoke a grant.",
    ...permission,
    body: nothingSchema,
  },

  "GET /api/connections": {
    summary: "Accounts outside, and what each scope is for.",
    tag: "Connections",
    scope: "read",
    response: connections,
  },
  "GET /api/connections/:provider/connect": {
    summary: "To the provider's consent page.",
    ...provider,
    status: 303,
    response: "nothing",
  },
  "POST /api/connections/:provider/disconnect": {
    summary: "Forget the account.",
    tag: "Connections",
    scope: "manage",
    body: nothingSchema,
    response: connections,
  },
  "GET /api/gmail/connect": {
    summary: "To Google's consent page.",
    ...provider,
    status: 303,
    response: "nothing",
  },
  "GET /api/gmail/callback": {
    summary: "Where Google sends the browser back to.",
    ...provider,
    scope: "open",
    rate: "callback",
    query: callbackQuery,
    response: "text/html",
  },
  "GET /api/connections/slack/callback": {
    summary: "Where Slack sends the browser back to.",
    ...provider,
    scope: "open",
    rate: "callback",
    query: callbackQuery,
    response: "text/html",
  },
  "POST /api/gmail/disconnect": {
    summary: "Forget the Google account.",
    tag: "Connections",
    scope: "manage",
    body: nothingSchema,
    response: connections,
  },

  "GET /api/demo": {
    summary: "The simulated outside as it is; not found where nothing is simulated.",
    ...demo,
    scope: "read",
    query: z.object({ account: z.string().max(200).optional() }),
  },
  "POST /api/demo/faults": {
    summary: "Make something go wrong there.",
    ...demo,
    scope: "manage",
    body: z.strictObject({ fault: demoFaultSchema }),
  },
  "POST /api/demo/faults/clear": {
    summary: "Mend it.",
    ...demo,
    scope: "manage",
    body: nothingSchema,
  },
  "POST /api/demo/reset": {
    summary: "Back to the beginning.",
    ...demo,
    scope: "manage",
    body: nothingSchema,
  },
});
