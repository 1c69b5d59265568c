import { z } from "zod";

/** Who may do what unasked, and where values came from: plain data that crosses boundaries. */

export const trustLevels = ["supervised", "delegated", "autonomous"] as const;
export type TrustLevel = (typeof trustLevels)[number];
export const trustLevelSchema = z.enum(trustLevels);

/** Where a value came from. The first two are the owner's own word. */
export const origins = ["user", "system", "mail", "document", "calendar", "slack", "web", "page", "attached", "thread", "memory", "child", "tool"] as const;
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

export type RiskKind = "recipient" | "guest" | "host" | "attachment" | "channel" | "tool" | "readers" | "warning";

/** A value that untrusted text may have chosen, with where it was seen. */
export interface Risk {
  readonly kind: RiskKind;
  readonly value: string;
  /** A sentence for a person. */
  readonly why: string;
  /** The actions of this run whose results had it; empty if nobody knows. */
  readonly from: readonly { readonly origin: Origin; readonly tool: string; readonly actionId: string }[];
  /** What is odd about the value itself: looks like another one, never written to before. */
  readonly notes: readonly string[];
}

export const riskSchema = z.object({
  kind: z.enum(["recipient", "guest", "host", "attachment", "channel", "tool", "readers", "warning"]),
  value: z.string(),
  why: z.string(),
  from: z.array(z.object({ origin: z.enum(origins), tool: z.string(), actionId: z.string() })),
  notes: z.array(z.string()),
});

export const ruleVerdicts = ["allow", "ask", "deny"] as const;
export type RuleVerdict = (typeof ruleVerdicts)[number];

/** The owner's word on a tool, of one Bron or of all. */
export interface RuleView {
  readonly id: string;
  /** Null: of every Bron. */
  readonly bronId: string | null;
  /** A tool's name; a star at its end stands for anything. */
  readonly tool: string;
  readonly verdict: RuleVerdict;
  readonly createdAt: string;
}

/** People and domains that the owner listed. */
export interface AllowedView {
  readonly id: string;
  /** An address, or a domain for everybody in it. */
  readonly value: string;
  readonly kind: "person" | "domain";
  readonly createdAt: string;
}

/** "This tool to this recipient, until then." */
export interface GrantView {
  readonly id: string;
  readonly bronId: string | null;
  readonly tool: string;
  readonly recipient: string;
  readonly expiresAt: string;
  readonly revokedAt: string | null;
  /** How often it let something through. */
  readonly uses: number;
  readonly createdAt: string;
}

export const ruleSchema = z.strictObject({ bronId: z.uuid().nullable().default(null), tool: z.string().regex(/^[a-zA-Z_][\w-]{0,63}\*?$|^\*$/), verdict: z.enum(ruleVerdicts) });
export const allowedSchema = z.strictObject({ value: z.string().min(3).max(254) });
export const grantSchema = z.strictObject({ bronId: z.uuid().nullable().default(null), tool: z.string().regex(/^[a-zA-Z_][\w-]{0,63}$/), recipient: z.string().min(3).max(254), days: z.number().positive().max(90).default(7) });

export type NewRule = z.input<typeof ruleSchema>;
export type NewGrant = z.input<typeof grantSchema>;

/** All that an owner has laid down. */
export interface PermissionsView {
  /** Of the default Bron. */
  readonly trustLevel: TrustLevel;
  readonly rules: readonly RuleView[];
  readonly allowed: readonly AllowedView[];
  readonly grants: readonly GrantView[];
}
