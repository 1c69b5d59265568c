import { z } from "zod";
import { endpoints } from "./endpoint.ts";

const server = { tag: "Server", scope: "open" } as const;

export const serverApi = endpoints({
  "GET /healthz": {
    summary: "That the process answers; with a challenge, the proof of which server it is.",
    ...server,
    response: z.object({ ok: z.literal(true) }),
  },
  "GET /readyz": {
    summary: "That the database answers too.",
    ...server,
    response: z.object({ ok: z.literal(true), database: z.literal("ready") }),
  },
  "GET /metrics": {
    summary: "Figures of this process, for Prometheus.",
    tag: "Server",
    scope: "read",
    response: "text/plain",
  },
  "GET /openapi.json": {
    summary: "This description.",
    ...server,
    response: z.record(z.string(), z.unknown()),
  },
  "GET /docs": { summary: "This description, to read.", ...server, response: "text/html" },
  "GET /docs/errors": {
    summary: "Every error with what to do about it.",
    ...server,
    response: "text/html",
  },
  "GET /sign-in": {
    summary: "Where a sign-in link leads: one browser, once.",
    ...server,
    query: z.object({ token: z.string().max(1_000).default("") }),
    status: 303,
    response: "text/html",
  },
  "POST /sign-out": {
    summary: "End the session of this browser.",
    tag: "You",
    scope: "read",
    status: 204,
    response: "nothing",
  },
});
