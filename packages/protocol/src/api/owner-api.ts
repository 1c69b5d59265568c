import { z } from "zod";
import { auditFilterSchema, auditViewSchema } from "../audit.ts";
import { demoFaultSchema, demoViewSchema } from "../demo.ts";
import { aboutViewSchema, connectionViewSchema } from "../run.ts";
import {
  allowedSchema,
  effectSettingSchema,
  grantSchema,
  permissionsViewSchema,
  ruleSchema,
  trustLevelSchema,
} from "../trust.ts";
import { endpoints, limitSchema, emptyBodySchema, pageOf, scopeSchema } from "./endpoint.ts";

/** The authenticated caller. */
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
  /** The User-Agent header that the browser sent. */
  userAgent: z.string(),
  createdAt: z.iso.datetime(),
  lastSeenAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  /** True for the session that sent this request. */
  current: z.boolean(),
});
export type SessionView = Readonly<z.infer<typeof sessionViewSchema>>;

export const tokenViewSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  scopes: z.array(scopeSchema).readonly(),
  /** The last characters of the token, so that the owner can recognize it. */
  hint: z.string(),
  /**
   * The token that created this one, if any. This token expires and is revoked together with it.
   */
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

/** The providers' names in sentences. */
export const modelProviderNames: Readonly<Record<ModelProvider, string>> = {
  gemini: "Google Gemini",
  anthropic: "Anthropic",
  openai: "OpenAI",
};

/** A model key of the owner. The key itself is never returned. */
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

export const usageViewSchema = z.object({
  days: z.array(day),
  total: day.omit({ day: true }).extend({
    /** The share of finished runs that succeeded. Null while no run has finished. */
    successRate: z.number().min(0).max(1).nullable(),
    /** From start to end, including the time parked. */
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
/** The query that providers send with the callback. */
const callbackQuery = z.object({
  state: z.string().max(4_000).default(""),
  code: z.string().max(4_000).default(""),
  error: z.string().max(4_000).optional(),
});
const provider = { tag: "Connections", scope: "manage", rate: "connect" } as const;
const modelKeys = z.object({ modelKeys: z.array(modelKeyViewSchema) });

export const ownerApi = endpoints({
  "GET /api/about": {
    summary: "Server info.",
    tag: "You",
    scope: "read",
    response: aboutViewSchema,
  },
  "GET /api/me": {
    summary: "The current user and permissions.",
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
    summary: "List sessions.",
    tag: "You",
    scope: "manage",
    response: z.object({ sessions: z.array(sessionViewSchema) }),
  },
  "DELETE /api/sessions/:id": {
    summary: "End a session.",
    tag: "You",
    scope: "manage",
    status: 204,
    response: "nothing",
  },
  "POST /api/sessions/end-others": {
    summary: "End all other sessions.",
    tag: "You",
    scope: "manage",
    body: emptyBodySchema,
    response: z.object({ ended: z.number().int() }),
  },
  "GET /api/tokens": {
    summary: "List API tokens.",
    tag: "You",
    scope: "manage",
    response: z.object({ tokens: z.array(tokenViewSchema) }),
  },
  "POST /api/tokens": {
    summary: "Create a token. The secret is only shown once.",
    tag: "You",
    scope: "manage",
    body: newTokenSchema,
    status: 201,
    response: z.object({ token: z.string(), view: tokenViewSchema }),
  },
  "DELETE /api/tokens/:id": {
    summary: "Revoke a token.",
    tag: "You",
    scope: "manage",
    status: 204,
    response: "nothing",
  },
  "GET /api/model-keys": {
    summary: "List model keys (values hidden).",
    tag: "You",
    scope: "manage",
    response: modelKeys,
  },
  "PUT /api/model-keys/:provider": {
    summary: "Test and store a model key.",
    tag: "You",
    scope: "manage",
    rate: "connect",
    body: newModelKeySchema,
    response: modelKeys.extend({ tried: z.enum(["works", "not_reached"]) }),
  },
  "DELETE /api/model-keys/:provider": {
    summary: "Delete a model key.",
    tag: "You",
    scope: "manage",
    response: modelKeys,
  },

  "GET /api/audit": {
    summary: "List activity, newest first.",
    tag: "Audit",
    scope: "read",
    query: auditFilter.extend({
      before: z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional(),
      limit: limitSchema,
    }),
    response: pageOf("audit", auditViewSchema, z.number().int()),
  },
  "GET /api/audit/export": {
    summary: "Export activity as JSON Lines.",
    tag: "Audit",
    scope: "read",
    query: auditFilter,
    response: "application/jsonl",
  },

  "GET /api/permissions": {
    summary: "Get permissions.",
    tag: "Permissions",
    scope: "read",
    response: permissionsViewSchema,
  },
  "POST /api/permissions/trust": {
    summary: "Set the trust level of a Bron, or of the default Bron.",
    ...permission,
    body: z.strictObject({ level: trustLevelSchema, bronId: z.uuid().nullable().default(null) }),
  },
  "POST /api/permissions/rules": {
    summary:
      "Add a rule to allow, ask about or deny a tool, everywhere or for one host or MCP server.",
    ...permission,
    body: ruleSchema,
  },
  "POST /api/permissions/allowed": {
    summary: "Add a trusted contact or domain.",
    ...permission,
    body: allowedSchema,
  },
  "POST /api/permissions/grants": {
    summary: "Grant a tool temporary access to one recipient, host or MCP server.",
    ...permission,
    body: grantSchema,
  },
  "POST /api/permissions/effects": {
    summary:
      "Set the undo delay and the approval rate of a kind of effect. Null means the default.",
    ...permission,
    body: effectSettingSchema,
  },
  "POST /api/permissions/rules/:id/remove": {
    summary: "Remove a rule.",
    ...permission,
    body: emptyBodySchema,
  },
  "POST /api/permissions/allowed/:id/remove": {
    summary: "Remove a trusted contact.",
    ...permission,
    body: emptyBodySchema,
  },
  "POST /api/permissions/grants/:id/remove": {
    summary: "Revoke a grant.",
    ...permission,
    body: emptyBodySchema,
  },

  "GET /api/connections": {
    summary: "List connected accounts and their scopes.",
    tag: "Connections",
    scope: "read",
    response: connections,
  },
  "GET /api/connections/:provider/connect": {
    summary: "Redirect to the provider's consent page.",
    ...provider,
    status: 303,
    response: "nothing",
  },
  "POST /api/connections/:provider/disconnect": {
    summary: "Disconnect an account.",
    tag: "Connections",
    scope: "manage",
    body: emptyBodySchema,
    response: connections,
  },
  "GET /api/gmail/connect": {
    summary: "Redirect to Google's consent page.",
    ...provider,
    status: 303,
    response: "nothing",
  },
  "GET /api/gmail/callback": {
    summary: "Google's OAuth callback.",
    ...provider,
    scope: "open",
    rate: "callback",
    query: callbackQuery,
    response: "text/html",
  },
  "GET /api/connections/slack/callback": {
    summary: "Slack's OAuth callback.",
    ...provider,
    scope: "open",
    rate: "callback",
    query: callbackQuery,
    response: "text/html",
  },
  "POST /api/gmail/disconnect": {
    summary: "Disconnect the Google account.",
    tag: "Connections",
    scope: "manage",
    body: emptyBodySchema,
    response: connections,
  },

  "GET /api/demo": {
    summary: "Get sandbox state (404 outside demo mode).",
    ...demo,
    scope: "read",
    query: z.object({ account: z.string().max(200).optional() }),
  },
  "POST /api/demo/faults": {
    summary: "Inject a fault.",
    ...demo,
    scope: "manage",
    body: z.strictObject({ fault: demoFaultSchema }),
  },
  "POST /api/demo/faults/clear": {
    summary: "Clear faults.",
    ...demo,
    scope: "manage",
    body: emptyBodySchema,
  },
  "POST /api/demo/reset": {
    summary: "Reset the sandbox.",
    ...demo,
    scope: "manage",
    body: emptyBodySchema,
  },
});
