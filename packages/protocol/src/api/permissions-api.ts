import { z } from "zod";
import {
  allowedSchema,
  effectSettingSchema,
  grantSchema,
  permissionsViewSchema,
  ruleSchema,
  trustLevelSchema,
} from "../trust.ts";
import { emptyBodySchema, endpoints } from "./endpoint.ts";

const permission = {
  tag: "Permissions",
  scope: "manage",
  alsoScope: "approve",
  response: permissionsViewSchema,
} as const;

export const permissionsApi = endpoints({
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
});
