import { z } from "zod";
import { connectionViewSchema } from "../run.ts";
import { emptyBodySchema, endpoints } from "./endpoint.ts";

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
  "POST /api/gmail/disconnect": {
    summary: "Disconnect the Google account.",
    tag: "Connections",
    scope: "manage",
    body: emptyBodySchema,
    response: connections,
  },
});
