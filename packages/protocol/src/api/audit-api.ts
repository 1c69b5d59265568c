import { z } from "zod";
import { activityKinds, activityViewSchema } from "../activity.ts";
import { auditFilterSchema, auditViewSchema } from "../audit.ts";
import { endpoints, limitSchema, pageOf } from "./endpoint.ts";

const auditFilter = z.object({ runId: z.uuid().optional(), what: auditFilterSchema.optional() });

const beforeSchema = z.coerce.number().int().positive().max(Number.MAX_SAFE_INTEGER).optional();

export const auditApi = endpoints({
  "GET /api/activity": {
    summary: "List activity with one row for each action, newest first.",
    tag: "Audit",
    scope: "read",
    query: z.object({
      runId: z.uuid().optional(),
      kind: z.enum(activityKinds).optional(),
      /**
       * Words that a row contains: in the recipients, the subject and the text of an action as it
       * was last prepared, or in the details of any other entry. A page may have fewer rows than
       * its limit although more follow.
       */
      search: z.string().max(200).optional(),
      before: beforeSchema,
      limit: limitSchema,
    }),
    response: pageOf("activity", activityViewSchema, z.number().int()),
  },
  "GET /api/audit": {
    summary: "List the entries of the audit log, newest first.",
    tag: "Audit",
    scope: "read",
    query: auditFilter.extend({
      before: beforeSchema,
      limit: limitSchema,
    }),
    response: pageOf("audit", auditViewSchema, z.number().int()),
  },
  "GET /api/audit/export": {
    summary: "Export the audit log as JSON Lines.",
    tag: "Audit",
    scope: "read",
    query: auditFilter,
    response: "application/jsonl",
  },
});
