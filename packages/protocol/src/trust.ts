import { z } from "zod";
import { riskNoteSchema, riskReasonSchema } from "./risk-reason.ts";
import { sourceItemSchema, type LabelPart } from "./source-item.ts";

/** Permissions and the provenance of values, as plain data that crosses process boundaries. */

export const trustLevels = ["supervised", "delegated", "autonomous"] as const;
export type TrustLevel = (typeof trustLevels)[number];
export const trustLevelSchema = z.enum(trustLevels);

/** Where a value came from. The first two count as the owner's own words. */
export const origins = [
  "user",
  "system",
  "mail",
  "document",
  "calendar",
  "slack",
  "web",
  "page",
  "attached",
  "pasted",
  "program",
  "persona",
  "thread",
  "memory",
  "skill",
  "child",
  "tool",
] as const;
export type Origin = (typeof origins)[number];

/** Where a value came from, in words for the owner. */
export const originWords: Readonly<Record<Origin, string>> = {
  user: "your request",
  system: "Bron",
  mail: "an email",
  document: "a document",
  calendar: "your calendar",
  slack: "Slack",
  web: "a web page",
  page: "the page you had open",
  attached: "a file attached to the task",
  pasted: "text that you pasted",
  program: "a program's task or message",
  persona: "the Bron's imported instructions",
  thread: "an earlier answer in this conversation",
  memory: "memory",
  skill: "a skill",
  child: "a subtask",
  tool: "a tool's result",
};

/** A label on every value that enters a run. */
export interface Label {
  readonly origin: Origin;
  /** Only the owner or Bron itself wrote it. */
  readonly trusted: boolean;
  /** Must not be shown to everyone. */
  readonly private: boolean;
  /** Addresses that already know the value, because they wrote or received it. */
  readonly readers: readonly string[];
  /** What the output consists of, as far as its tool can say it. */
  readonly parts?: readonly LabelPart[];
}

/** Effects in groups. An owner sets the undo delay and the approval rate of each. */
export const effectGroups = ["mail", "event", "channel", "fetch", "server", "other"] as const;
export type EffectGroup = (typeof effectGroups)[number];
export const effectGroupSchema = z.enum(effectGroups);

/** The owner's settings for a kind of effect. Null: the default of this installation. */
export const effectSettingSchema = z.strictObject({
  kind: effectGroupSchema,
  /** How long an approval can be undone before the effect starts. */
  undoSeconds: z.number().int().min(0).max(60).nullable(),
  /** How many effects of this kind the owner can approve in a minute. */
  approvalsPerMinute: z.number().int().min(1).max(1_000).nullable(),
});
export type EffectSetting = Readonly<z.infer<typeof effectSettingSchema>>;

const riskKinds = [
  "recipient",
  "guest",
  "host",
  "value",
  "attachment",
  "channel",
  "thing",
  "field",
  "tool",
  "readers",
  "warning",
] as const;
export type RiskKind = (typeof riskKinds)[number];

/** A result, or a part of one, that the model has read. */
const riskSourceSchema = z.object({
  origin: z.enum(origins),
  /** Empty for what was there before the run. */
  tool: z.string(),
  actionId: z.string(),
  /** Set if another run read it: a parent run, or the one that wrote what was read. */
  runId: z.string().optional(),
  /** What a person recognizes it by. */
  item: sourceItemSchema.optional(),
});
export type RiskSource = Readonly<z.infer<typeof riskSourceSchema>>;

/** A value that untrusted text may have chosen, and where it was seen. */
export const riskSchema = z.object({
  kind: z.enum(riskKinds),
  value: z.string(),
  /** A string if a tool wrote it, or a version before log version 6. */
  why: z.union([riskReasonSchema, z.string()]),
  /** What the run has read of it, newest first and complete. See `found`. */
  from: z.array(riskSourceSchema).readonly(),
  /**
   * False: the value is in none of these results, and any of them may have led to it. Absent in
   * logs before version 8, where they contain it.
   */
  found: z.boolean().optional(),
  /**
   * What is suspicious about the value itself, such as a lookalike or a recipient that was never
   * written to.
   */
  notes: z.array(z.union([riskNoteSchema, z.string()])).readonly(),
});
export type Risk = Readonly<z.infer<typeof riskSchema>>;

export const ruleVerdicts = ["allow", "ask", "deny"] as const;
export type RuleVerdict = (typeof ruleVerdicts)[number];

/** What a rule or grant names besides a tool. Null: it does not matter. */
const scopeView = {
  /** `example.com` for one host, or `*.example.com` for all hosts below it. */
  host: z.string().nullable(),
  /** The name of an MCP server. `tool` is then the name that the tool has there. */
  server: z.string().nullable(),
};

/** The owner's rule for a tool. It applies to one Bron or to all. */
const ruleViewSchema = z.object({
  id: z.uuid(),
  /** Null means every Bron. */
  bronId: z.uuid().nullable(),
  /** The name of a tool. A trailing star matches any suffix. */
  tool: z.string(),
  ...scopeView,
  verdict: z.enum(ruleVerdicts),
  createdAt: z.iso.datetime(),
});
export type RuleView = Readonly<z.infer<typeof ruleViewSchema>>;

/** A trusted contact: a person or a domain. */
const allowedViewSchema = z.object({
  id: z.uuid(),
  /** An address, or a domain that covers every address in it. */
  value: z.string(),
  kind: z.enum(["person", "domain"]),
  /** What the owner calls this person: a name or a role. Null without one, and for a domain. */
  name: z.string().nullable(),
  createdAt: z.iso.datetime(),
});
export type AllowedView = Readonly<z.infer<typeof allowedViewSchema>>;

/** Lets a tool reach one recipient, one host pattern or one MCP server until the grant expires. */
const grantViewSchema = z.object({
  id: z.uuid(),
  bronId: z.uuid().nullable(),
  tool: z.string(),
  recipient: z.string().nullable(),
  ...scopeView,
  /** Whether it also counts once a run has read private text. */
  includesPrivate: z.boolean(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
  /** How often the grant allowed an effect. */
  uses: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type GrantView = Readonly<z.infer<typeof grantViewSchema>>;

/** Rejects control characters and lone surrogates, which no address contains. */
const plainText = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be plain text")
  .min(3)
  .max(254);
/** `eva@example.com`, `Eva Brandt <eva@example.com>`, `the client <eva@example.com>`, `example.com`. */
export const allowedSchema = z.strictObject({ value: plainText });
const scopeInput = {
  host: plainText.nullable().default(null),
  server: z
    .string()
    .regex(/^[a-zA-Z0-9][\w.-]{0,63}$/)
    .nullable()
    .default(null),
};
const toolPattern = z.string().regex(/^[a-zA-Z0-9_][\w.:/@-]{0,199}\*?$|^\*$/);
export const ruleSchema = z.strictObject({
  bronId: z.uuid().nullable().default(null),
  tool: toolPattern,
  ...scopeInput,
  verdict: z.enum(ruleVerdicts),
});
/** Exactly one of `recipient`, `host` and `server`. A star in `tool` needs `server`. */
export const grantSchema = z.strictObject({
  bronId: z.uuid().nullable().default(null),
  tool: toolPattern,
  recipient: plainText.nullable().default(null),
  ...scopeInput,
  includesPrivate: z.boolean().default(false),
  days: z.number().positive().max(90).default(7),
});

export type NewRule = z.input<typeof ruleSchema>;
export type NewGrant = z.input<typeof grantSchema>;

/** All permissions that an owner has set. */
export const permissionsViewSchema = z.object({
  /** The trust level of the default Bron. */
  trustLevel: trustLevelSchema,
  rules: z.array(ruleViewSchema).readonly(),
  allowed: z.array(allowedViewSchema).readonly(),
  grants: z.array(grantViewSchema).readonly(),
  /** One for each kind of effect. */
  effects: z.array(effectSettingSchema).readonly(),
  /** The undo delay of kinds without a setting. */
  defaultUndoSeconds: z.number(),
});
export type PermissionsView = Readonly<z.infer<typeof permissionsViewSchema>>;
