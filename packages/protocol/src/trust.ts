import { z } from "zod";

/** Who may do what unasked, and where values came from: plain data that crosses boundaries. */

export const trustLevels = ["supervised", "delegated", "autonomous"] as const;
export type TrustLevel = (typeof trustLevels)[number];
export const trustLevelSchema = z.enum(trustLevels);

/** Where a value came from. The first two are the owner's own word. */
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
  "thread",
  "memory",
  "child",
  "tool",
] as const;
export type Origin = (typeof origins)[number];

/** On every value that enters a run. */
export interface Label {
  readonly origin: Origin;
  /** Nobody but the owner or Bron itself wrote it. */
  readonly trusted: boolean;
  /** Not for everybody's eyes. */
  readonly private: boolean;
  /** Addresses that know it already: those who wrote it, or got it. */
  readonly readers: readonly string[];
}

export const riskKinds = [
  "recipient",
  "guest",
  "host",
  "attachment",
  "channel",
  "tool",
  "readers",
  "warning",
] as const;
export type RiskKind = (typeof riskKinds)[number];

/** A value that untrusted text may have chosen, with where it was seen. */
export const riskSchema = z.object({
  kind: z.enum(riskKinds),
  value: z.string(),
  /** A sentence for a person. */
  why: z.string(),
  /** The actions of this run whose results had it; empty if nobody knows. */
  from: z
    .array(z.object({ origin: z.enum(origins), tool: z.string(), actionId: z.string() }))
    .readonly(),
  /** What is odd about the value itself: looks like another one, never written to before. */
  notes: z.array(z.string()).readonly(),
});
export type Risk = Readonly<z.infer<typeof riskSchema>>;

export const ruleVerdicts = ["allow", "ask", "deny"] as const;
export type RuleVerdict = (typeof ruleVerdicts)[number];

/** The owner's word on a tool, of one Bron or of all. */
export const ruleViewSchema = z.object({
  id: z.uuid(),
  /** Null: of every Bron. */
  bronId: z.uuid().nullable(),
  /** A tool's name; a star at its end stands for anything. */
  tool: z.string(),
  verdict: z.enum(ruleVerdicts),
  createdAt: z.iso.datetime(),
});
export type RuleView = Readonly<z.infer<typeof ruleViewSchema>>;

/** People and domains that the owner listed. */
export const allowedViewSchema = z.object({
  id: z.uuid(),
  /** An address, or a domain for everybody in it. */
  value: z.string(),
  kind: z.enum(["person", "domain"]),
  createdAt: z.iso.datetime(),
});
export type AllowedView = Readonly<z.infer<typeof allowedViewSchema>>;

/** "This tool to this recipient, until then." */
export const grantViewSchema = z.object({
  id: z.uuid(),
  bronId: z.uuid().nullable(),
  tool: z.string(),
  recipient: z.string(),
  expiresAt: z.iso.datetime(),
  revokedAt: z.iso.datetime().nullable(),
  /** How often it let something through. */
  uses: z.number().int(),
  createdAt: z.iso.datetime(),
});
export type GrantView = Readonly<z.infer<typeof grantViewSchema>>;

export const ruleSchema = z.strictObject({
  bronId: z.uuid().nullable().default(null),
  tool: z.string().regex(/^[a-zA-Z_][\w-]{0,63}\*?$|^\*$/),
  verdict: z.enum(ruleVerdicts),
});
/** Control characters and halves of characters are in no address. */
const plainText = z
  .string()
  .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be plain text")
  .min(3)
  .max(254);
export const allowedSchema = z.strictObject({ value: plainText });
export const grantSchema = z.strictObject({
  bronId: z.uuid().nullable().default(null),
  tool: z.string().regex(/^[a-zA-Z_][\w-]{0,63}$/),
  recipient: plainText,
  days: z.number().positive().max(90).default(7),
});

export type NewRule = z.input<typeof ruleSchema>;
export type NewGrant = z.input<typeof grantSchema>;

/** All that an owner has laid down. */
export const permissionsViewSchema = z.object({
  /** Of the default Bron. */
  trustLevel: trustLevelSchema,
  rules: z.array(ruleViewSchema).readonly(),
  allowed: z.array(allowedViewSchema).readonly(),
  grants: z.array(grantViewSchema).readonly(),
});
export type PermissionsView = Readonly<z.infer<typeof permissionsViewSchema>>;
