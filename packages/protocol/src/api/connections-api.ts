import { z } from "zod";
import { connectionSetups, connectionViewSchema } from "../run.ts";
import { emptyBodySchema, endpoints } from "./endpoint.ts";

/** The providers whose OAuth app the owner of the server can enter. */
export const oauthProviders = ["google", "slack"] as const;
export type OauthProvider = (typeof oauthProviders)[number];

/** The OAuth app of a provider. Its secret is never returned. */
const oauthClientViewSchema = z.object({
  provider: z.enum(oauthProviders),
  setup: z.enum(connectionSetups),
  /** The stored one. Null if none is stored, or if a variable set another. */
  clientId: z.string().nullable(),
  updatedAt: z.iso.datetime().nullable(),
  /** The redirect URI that the app must allow. Null for a program without a server. */
  redirectUri: z.string().nullable(),
});
export type OauthClientView = Readonly<z.infer<typeof oauthClientViewSchema>>;
const oauthClients = z.object({ oauthClients: z.array(oauthClientViewSchema) });
const credential = z
  .string()
  .trim()
  .regex(/^[\x21-\x7e]{4,500}$/, "doesn't look valid. Copy it again");

const connections = z.object({ connections: z.array(connectionViewSchema) });
/** The query that providers send with the callback. */
const callbackQuery = z.object({
  state: z.string().max(4_000).default(""),
  code: z.string().max(4_000).default(""),
  error: z.string().max(4_000).optional(),
});
/** `back` is the page to return to. Anything but a path of this server is ignored. */
const connectQuery = z.object({ back: z.string().max(2_000).optional() });
const provider = { tag: "Connections", scope: "manage", rate: "connect" } as const;

export const connectionsApi = endpoints({
  "GET /api/connections": {
    summary: "List connected accounts and their scopes.",
    tag: "Connections",
    scope: "read",
    response: connections,
  },
  "GET /api/connections/:provider/connect": {
    summary: "Redirect to the provider's consent page.",
    ...provider,
    query: connectQuery,
    status: 303,
    response: "nothing",
  },
  "GET /api/oauth-clients": {
    summary: "List the OAuth apps of this server (secrets hidden). Only for its owner.",
    tag: "Connections",
    scope: "manage",
    response: oauthClients,
  },
  "PUT /api/oauth-clients/:provider": {
    summary: "Store the OAuth app of a provider. A variable takes precedence over it.",
    tag: "Connections",
    scope: "manage",
    rate: "connect",
    body: z.strictObject({ clientId: credential, clientSecret: credential }),
    response: oauthClients,
  },
  "DELETE /api/oauth-clients/:provider": {
    summary: "Delete the stored OAuth app of a provider.",
    tag: "Connections",
    scope: "manage",
    response: oauthClients,
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
    query: connectQuery,
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
  "GET /api/connections/mcp/callback": {
    summary: "The OAuth callback of MCP servers.",
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
});
