import { z } from "zod";
import { endpoints } from "./endpoint.ts";

const server = { tag: "Server", scope: "open" } as const;

export const serverApi = endpoints({
  "GET /healthz": {
    summary: "Liveness check. With a challenge, also proves which server this is.",
    ...server,
    response: z.object({ ok: z.literal(true) }),
  },
  "GET /readyz": {
    summary: "Readiness check, including the database.",
    ...server,
    response: z.object({ ok: z.literal(true), database: z.literal("ready") }),
  },
  "GET /metrics": {
    summary: "Prometheus metrics.",
    tag: "Server",
    scope: "read",
    response: "text/plain",
  },
  "GET /openapi.json": {
    summary: "OpenAPI document.",
    ...server,
    response: z.record(z.string(), z.unknown()),
  },
  "GET /docs": { summary: "API reference.", ...server, response: "text/html" },
  "GET /docs/errors": {
    summary: "List of errors and what to do about each.",
    ...server,
    response: "text/html",
  },
  "GET /docs/guides/:name": {
    summary: "A guide for owners, such as connecting-google.",
    ...server,
    response: "text/html",
  },
  "GET /sign-in": {
    summary: "Sign in with a one-time link.",
    ...server,
    query: z.object({ token: z.string().max(1_000).default("") }),
    status: 303,
    response: "text/html",
  },
  "POST /sign-out": {
    summary: "Sign out of this browser.",
    tag: "You",
    scope: "read",
    status: 204,
    response: "nothing",
  },
});
