import { z } from "zod";
import { jsonObjectSchema } from "./json.ts";
import { effectStates } from "./states.ts";

/** What the audit knows of: `group.what`. Rows of older Brons may have words that are gone since. */
export const auditWhats = [
  ...(
    ["requested", "approved", "denied", "expired", "superseded", "canceled", "used"] as const
  ).map((state) => `approval.${state}` as const),
  ...effectStates.map((state) => `effect.${state}` as const),
  "effect.settled",
  "connection.connected",
  "connection.disconnected",
  "run.stopped",
  "owner.stopped",
  "rule.added",
  "rule.changed",
  "rule.removed",
  "trust.changed",
  "bron.created",
  "bron.changed",
  "allowed.added",
  "allowed.removed",
  "grant.given",
  "grant.revoked",
  "session.ended",
  "token.created",
  "token.revoked",
  "model_key.set",
  "model_key.removed",
] as const;
export type AuditWhat = (typeof auditWhats)[number];

type GroupOf<What> = What extends `${infer Group}.${string}` ? Group : never;

/** A word such as `effect.done`, or the group before its dot. */
export type AuditFilter = AuditWhat | GroupOf<AuditWhat>;

export const auditFilters: readonly AuditFilter[] = [
  ...new Set(auditWhats.flatMap((what): AuditFilter[] => [groupOf(what), what])),
];

export const auditFilterSchema = z.enum(auditFilters);

/** Whose doing: the owner's own hand, a run of theirs, or the passing of time. */
export const auditActors = ["owner", "bron", "system"] as const;
export type AuditActor = (typeof auditActors)[number];

/** One row of the audit: written with what it tells of, and never changed. */
export const auditViewSchema = z.object({
  /** Grows with time. */
  id: z.number().int(),
  at: z.iso.datetime(),
  what: z.enum(auditWhats),
  by: z.enum(auditActors),
  runId: z.uuid().nullable(),
  actionId: z.string().nullable(),
  effectId: z.string().nullable(),
  approvalId: z.string().nullable(),
  tool: z.string().nullable(),
  digest: z.string().nullable(),
  /** Never a body, a token or text from outside; recipients and subjects are here. */
  details: jsonObjectSchema,
});
export type AuditView = Readonly<z.infer<typeof auditViewSchema>>;

export const settlements = ["happened", "did_not_happen"] as const;
/** What the owner found out about an effect that ended as unknown. */
export type Settlement = (typeof settlements)[number];

function groupOf(what: AuditWhat): GroupOf<AuditWhat> {
  return what.slice(0, what.indexOf(".")) as GroupOf<AuditWhat>;
}
