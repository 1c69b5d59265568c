import { z } from "zod";
import { aboutViewSchema } from "../run.ts";
import { emptyBodySchema, endpoints, scopeSchema } from "./endpoint.ts";

/** The authenticated caller. */
const meViewSchema = z.object({
  ownerId: z.string(),
  via: z.enum(["link", "firebase", "token", "terminal"]),
  scopes: z.array(scopeSchema).readonly(),
  email: z.string().nullable(),
});
export type MeView = Readonly<z.infer<typeof meViewSchema>>;

const sessionViewSchema = z.object({
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

const tokenViewSchema = z.object({
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
const newTokenSchema = z.strictObject({
  name: z.string().trim().min(1).max(80),
  scopes: z.array(scopeSchema).min(1).default(["read"]),
  days: z.number().int().min(1).max(366).optional(),
});
export type NewToken = z.input<typeof newTokenSchema>;

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
});
