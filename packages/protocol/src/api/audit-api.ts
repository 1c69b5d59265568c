import { z } from "zod";
import { auditFilterSchema, auditViewSchema } from "../audit.ts";
import { endpoints, limitSchema, pageOf } from "./endpoint.ts";

const auditFilter = z.object({ runId: z.uuid().optional(), what: auditFilterSchema.optional() });

export const auditApi = endpoints({
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
});
