import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { effectStates } from "./states.ts";

/**
 * Every kind of entry in the audit log, as `group.what`. Entries that an older version wrote may
 * have kinds that are not in this list.
 */
export const auditKinds = [
  ...(
    [
      "requested",
      "approved",
      "denied",
      "reopened",
      "expired",
      "superseded",
      "canceled",
      "used",
    ] as const
  ).map((state) => `approval.${state}` as const),
  ...effectStates.map((state) => `effect.${state}` as const),
  "effect.settled",
  "effect.restored",
  "effect.discarded",
  "connection.connected",
  "connection.disconnected",
  "run.stopped",
  "run.moved",
  "owner.stopped",
  "rule.added",
  "rule.changed",
  "rule.removed",
  "trust.changed",
  "effect_setting.changed",
  "bron.created",
  "bron.changed",
  "bron.archived",
  "bron.restored",
  "thread.deleted",
  "memory.added",
  "memory.changed",
  "memory.confirmed",
  "memory.forgotten",
  "memory.summary_undone",
  "allowed.added",
  "allowed.removed",
  "grant.given",
  "grant.revoked",
  "session.ended",
  "token.created",
  "token.revoked",
  "model_key.set",
  "model_key.removed",
  "model_key.accepted",
  "oauth_client.set",
  "oauth_client.removed",
  "skill.added",
  "skill.accepted",
  "skill.removed",
  "mcp_server.added",
  "mcp_server.removed",
  "mcp_server.accepted",
  "schedule.created",
  "schedule.changed",
  "schedule.paused",
  "schedule.resumed",
  "schedule.started",
  "schedule.removed",
  "budget.changed",
] as const;
export type AuditKind = (typeof auditKinds)[number];

/** The part of a kind before its dot. */
export type AuditGroup = GroupOf<AuditKind>;

type GroupOf<What> = What extends `${infer Group}.${string}` ? Group : never;

/** A kind such as `effect.done`, or the group before its dot. */
export type AuditFilter = AuditKind | AuditGroup;

export const auditFilters: readonly AuditFilter[] = [
  ...new Set(auditKinds.flatMap((what): AuditFilter[] => [groupOfAudit(what), what])),
];

export const auditFilterSchema = z.enum(auditFilters);

/**
 * Who caused an entry: the owner, one of the owner's runs, or the system (for example when an
 * approval expired).
 */
const auditActors = ["owner", "bron", "system"] as const;
export type AuditActor = (typeof auditActors)[number];

/**
 * An entry of the audit log. It is written in the same transaction as the change it records, and is
 * never changed.
 */
export const auditViewSchema = z.object({
  /** Increases with time. */
  id: z.number().int(),
  at: z.iso.datetime(),
  what: z.enum(auditKinds),
  by: z.enum(auditActors),
  runId: z.uuid().nullable(),
  actionId: z.string().nullable(),
  effectId: z.string().nullable(),
  approvalId: z.string().nullable(),
  tool: z.string().nullable(),
  digest: z.string().nullable(),
  /** Contains recipients and subjects, but never a body, a token or untrusted text. */
  details: jsonObjectSchema,
});
export type AuditView = Readonly<z.infer<typeof auditViewSchema>>;

export const settlements = ["happened", "did_not_happen"] as const;
/** What the owner found out about an effect whose outcome was unknown. */
export type Settlement = (typeof settlements)[number];

export function groupOfAudit(what: AuditKind): AuditGroup {
  return what.slice(0, what.indexOf(".")) as AuditGroup;
}
