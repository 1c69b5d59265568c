import { z } from "zod";
import { actionFailureReasonSchema, describeActionFailure } from "./action-failure.ts";
import { riskReasonSchema, riskWords, type RiskReason } from "./risk-reason.ts";

/** What the rule names besides the tool. */
const ruleScope = { host: z.string().optional(), server: z.string().optional() };

/**
 * Why the policy allows an effect, denies it or asks.
 *
 * - `site_mentioned`: it only reads a site that the owner mentioned, or that nothing untrusted named.
 * - `delegated`: the trust level lets the Bron only email trusted contacts.
 * - `server_not_allowed`: no rule and no grant names the MCP server of the tool. `granted`: a grant
 *   names its server or host.
 * - `edited`: the owner's edit is asked about again. `edit_failed`: the original is, because the edit
 *   could not be applied.
 */
const policyCodes = z.discriminatedUnion("code", [
  z.object({ code: z.literal("side_effects_off") }),
  /** The limit of recipients excludes them, whatever is approved. */
  z.object({
    code: z.literal("recipients_not_permitted"),
    addresses: z.array(z.string()).readonly(),
  }),
  z.object({ code: z.literal("rule_denies"), ...ruleScope }),
  z.object({ code: z.literal("rule_asks"), ...ruleScope }),
  z.object({ code: z.literal("rule_allows"), ...ruleScope }),
  z.object({ code: z.literal("server_not_allowed"), server: z.string() }),
  z.object({ code: z.literal("granted") }),
  z.object({ code: z.literal("only_owner_sees") }),
  z.object({ code: z.literal("site_mentioned") }),
  z.object({ code: z.literal("autonomous") }),
  z.object({ code: z.literal("supervised") }),
  z.object({ code: z.literal("delegated") }),
  z.object({ code: z.literal("no_recipient") }),
  z.object({
    code: z.literal("recipients_not_trusted"),
    addresses: z.array(z.string()).readonly(),
  }),
  /** `contacts`: what the owner trusts, addresses and domains. Absent in older logs. */
  z.object({
    code: z.literal("recipients_trusted"),
    contacts: z.array(z.string()).readonly().optional(),
  }),
  z.object({ code: z.literal("edited") }),
  /** The message is the tool's. */
  z.object({
    code: z.literal("edit_failed"),
    message: z.string().optional(),
    why: actionFailureReasonSchema.optional(),
  }),
]);
type PolicyCode = Readonly<z.infer<typeof policyCodes>>;

/** A risk is a reason to ask. A string is from a tool or a policy of the program, or from a log before version 6. */
export const policyReasonSchema = z.union([policyCodes, riskReasonSchema, z.string()]);
export type PolicyReason = PolicyCode | RiskReason | string;

type Coded = Exclude<PolicyReason, string>;

/** A sentence for each code. */
export type PolicyWords = {
  readonly [K in Coded["code"]]: (reason: Extract<Coded, { code: K }>) => string;
};

/** The sentences of the terminal, the web app and the agent API. To translate them, pass another table. */
export const policyWords: PolicyWords = {
  ...riskWords,
  side_effects_off: () => "Changes outside Bron are switched off (AGENT_SIDE_EFFECTS_ENABLED).",
  recipients_not_permitted: ({ addresses }) =>
    `Only the recipients in BRON_ONLY_RECIPIENTS get anything, and that excludes ${addresses.join(", ")}.`,
  rule_denies: (rule) => `Your rule${scopeWords(rule)} doesn't allow this.`,
  rule_asks: (rule) => `Your rule${scopeWords(rule)} says to ask.`,
  rule_allows: (rule) => `Allowed by your rule${scopeWords(rule)}.`,
  server_not_allowed: ({ server }) =>
    `This tool comes from the MCP server ${server}, and none of your rules allows it.`,
  granted: () => "You allowed this for a limited time.",
  only_owner_sees: () => "Only visible to you.",
  site_mentioned: () => "This only reads a site that you mentioned or that no one else suggested.",
  autonomous: () => "This Bron is Autonomous.",
  supervised: () => "This Bron is Supervised, so it asks before sending or changing anything.",
  delegated: () => "This Bron is Delegated: it only emails trusted contacts without asking.",
  no_recipient: () => "No recipient is named.",
  recipients_not_trusted: ({ addresses }) =>
    addresses.length === 1
      ? `${addresses.join()} isn't a trusted contact.`
      : `These aren't trusted contacts: ${addresses.join(", ")}.`,
  recipients_trusted: ({ contacts = [] }) =>
    contacts.length === 1
      ? `${contacts.join()} is a trusted contact.`
      : "All recipients are trusted contacts.",
  edited: () => "You edited this. Review the new version.",
  edit_failed: (failure) =>
    `Your edit couldn't be applied, so this is the original: ${describeActionFailure(failure)}`,
};

/** " for example.com", " for the server github" */
function scopeWords({
  host,
  server,
}: {
  readonly host?: string | undefined;
  readonly server?: string | undefined;
}): string {
  const names = [
    ...(server === undefined ? [] : [`the server ${server}`]),
    ...(host === undefined ? [] : [host]),
  ];
  return names.length === 0 ? "" : ` for ${names.join(" and ")}`;
}

/** The sentences for reasons, in one text. */
export function describeReasons(
  reasons: readonly PolicyReason[],
  words: PolicyWords = policyWords,
): string {
  return reasons
    .map((reason) =>
      typeof reason === "string"
        ? reason
        : (words[reason.code] as (value: Coded) => string)(reason),
    )
    .join(" ");
}
