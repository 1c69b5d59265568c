import type { PolicyReason, Risk, RiskKind, RiskReason } from "@bron/protocol";
import { canonicalJson } from "./canonical-json.ts";
import type { EffectFacts, Recipient } from "./effect-facts.ts";
import { endsLikeFile } from "./linked-hosts.ts";
import { lookAlike } from "./look-alike.ts";
import { domainOf, normalizeAddress } from "./names.ts";
import type { PolicyDecision } from "./policy-decision.ts";
import { readOwnerWords, type OwnerWords } from "./named-by-owner.ts";
import { grantFor, isTrusted, ruleFor, type PolicyRules } from "./rules.ts";
import { keyOf, type RunLabels, type SeenKind, type Source } from "./run-labels.ts";

export interface JudgeInput {
  readonly tool: string;
  readonly seenBy: "owner" | "others";
  readonly facts: EffectFacts;
  readonly labels: RunLabels;
  readonly rules: PolicyRules;
  /** What the owner typed when editing this effect. It is trusted, for this effect only. */
  readonly edited?: string;
  /** Set if the retried run has done, or may have done, such an effect. */
  readonly repeats?: RiskReason;
}

/**
 * The policy, a pure function. The first matching line decides:
 * 1. Side effects are switched off, or a rule denies: deny.
 * 2. Only the owner sees it: allow.
 * 3. Untrusted text may have chosen part of it: ask, at every trust level.
 * 4. A rule asks: ask.
 * 5. A rule allows: allow.
 * 6. Otherwise the trust level decides.
 */
export function judge(input: JudgeInput): PolicyDecision {
  const { tool, seenBy, facts, rules } = input;
  const isFetch = facts.kind === "fetch";
  const rule = ruleFor(rules, tool);
  if (!rules.sideEffects && !isFetch) return decide("deny", [{ code: "side_effects_off" }]);
  if (rule === "deny") return decide("deny", [{ code: "rule_denies" }]);
  if (seenBy === "owner" && !isFetch) return decide("allow", [{ code: "only_owner_sees" }]);
  const risks = risksOf(input);
  if (risks.length > 0)
    return decide(
      "ask",
      risks.map(({ why }) => why),
      risks,
    );
  if (rule === "ask") return decide("ask", [{ code: "rule_asks" }]);
  if (isFetch) return decide("allow", [{ code: "site_mentioned" }]);
  if (rule === "allow") return decide("allow", [{ code: "rule_allows" }]);
  return byTrust(input);
}

/**
 * Judges a call of a tool that only reads, before it is made. Only a rule with the exact name of the
 * tool denies it. A pattern with a star is about effects.
 */
export function judgeRead(tool: string, { rules }: Pick<PolicyRules, "rules">): PolicyDecision {
  return rules.some((rule) => rule.tool === tool && rule.verdict === "deny")
    ? decide("deny", [{ code: "rule_denies" }])
    : decide("allow", []);
}

function decide(
  verdict: PolicyDecision["verdict"],
  reasons: readonly PolicyReason[],
  risks: readonly Risk[] = [],
): PolicyDecision {
  const distinctReasons = new Map(reasons.map((reason) => [canonicalJson(reason), reason]));
  return { verdict, reasons: [...distinctReasons.values()], risks };
}

function byTrust({ tool, facts, rules }: JudgeInput): PolicyDecision {
  if (rules.trustLevel === "autonomous") return decide("allow", [{ code: "autonomous" }]);
  if (rules.trustLevel === "supervised") return decide("ask", [{ code: "supervised" }]);
  const untrusted = facts.recipients
    .map(({ address }) => normalizeAddress(address))
    .filter(
      (address) =>
        !isTrusted(rules, address) &&
        grantFor(rules, tool, address) === undefined &&
        !isOwn(facts, address),
    );
  if (facts.kind !== "mail") return decide("ask", [{ code: "delegated" }]);
  if (facts.recipients.length === 0) return decide("ask", [{ code: "no_recipient" }]);
  if (untrusted.length > 0)
    return decide("ask", [{ code: "recipients_not_trusted", addresses: untrusted }]);
  return decide("allow", [{ code: "recipients_trusted" }]);
}

function isOwn({ account }: EffectFacts, address: string): boolean {
  return account !== "" && address === normalizeAddress(account);
}

/**
 * Once the run has read untrusted text, lists everything that this text may have chosen, and where
 * it was seen.
 */
function risksOf(input: JudgeInput): Risk[] {
  const { facts, labels, repeats } = input;
  const warnings = [
    ...facts.warnings,
    ...(repeats === undefined || facts.kind === "fetch" ? [] : [repeats]),
  ].map((why): Risk => ({ kind: "warning", value: input.tool, why, from: [], notes: [] }));
  if (labels.untrusted.length === 0) return warnings;
  const words = readOwnerWords(
    input.edited === undefined ? labels.words : `${labels.words}\n${input.edited}`,
  );
  return [
    ...warnings,
    ...toolRisks(input),
    ...recipientRisks(input, words),
    ...hostRisks(input, words),
    ...attachmentRisks(input, words),
    ...audienceRisks(input),
  ];
}

/**
 * An effect tool may run without approval only if it was planned before the first untrusted read,
 * granted, or allowed by a rule.
 */
function toolRisks({ tool, facts, labels, rules }: JudgeInput): Risk[] {
  const isGranted =
    facts.recipients.length > 0 &&
    facts.recipients.every(
      ({ address }) => grantFor(rules, tool, normalizeAddress(address)) !== undefined,
    );
  if (
    facts.kind === "fetch" ||
    labels.planned.has(tool) ||
    isGranted ||
    ruleFor(rules, tool) === "allow"
  )
    return [];
  return [
    {
      kind: "tool",
      value: tool,
      why: { code: "decided_after_reading" },
      from: distinct(labels.untrusted),
      notes: [],
    },
  ];
}

function recipientRisks({ tool, facts, labels, rules }: JudgeInput, words: OwnerWords): Risk[] {
  const privateSources = labels.untrusted.filter((source) => source.private);
  return facts.recipients.flatMap((recipient): Risk[] => {
    const address = normalizeAddress(recipient.address);
    if (isOwn(facts, address)) return [];
    const isNamed = words.hasAddress(address) || words.callsByName({ ...recipient, address });
    const isFamiliar =
      isNamed ||
      recipient.known !== undefined ||
      isTrusted(rules, address) ||
      grantFor(rules, tool, address) !== undefined;
    const kind: RiskKind = recipient.role === "guest" ? "guest" : "recipient";
    const notes = notesOn(recipient, address, { facts, rules });
    if (!isFamiliar) {
      const from = sourcesOf(labels, "address", address);
      return [
        {
          kind,
          value: recipient.address,
          why: { code: "recipient_not_mentioned", address, role: recipient.role },
          from,
          notes,
        },
      ];
    }
    const unknownToRecipient = isNamed
      ? []
      : privateSources.filter(({ readers }) => !readers.includes(address));
    if (unknownToRecipient.length === 0) return [];
    return [
      {
        kind: "readers",
        value: recipient.address,
        why: { code: "reader_not_mentioned", address },
        from: distinct(unknownToRecipient),
        notes,
      },
    ];
  });
}

function notesOn(
  { known }: Recipient,
  address: string,
  { facts, rules }: Pick<JudgeInput, "facts" | "rules">,
): Risk["notes"] {
  const domains = [
    domainOf(normalizeAddress(facts.account)),
    ...rules.domains,
    ...[...rules.people].map(domainOf),
  ].filter(Boolean);
  const similar = lookAlike(address, domains);
  return [
    ...(known ? [] : [{ code: "never_emailed" } as const]),
    ...(similar === undefined ? [] : [{ code: "lookalike", domain: similar } as const]),
  ];
}

function hostRisks({ facts, labels, rules }: JudgeInput, words: OwnerWords): Risk[] {
  const attached = new Set(facts.attachments.map(({ filename }) => filename.toLowerCase()));
  return facts.hosts.flatMap((host): Risk[] => {
    if (attached.has(host) && endsLikeFile(host)) return [];
    // A trusted domain may still not learn what was read. For a fetch, only hosts that the owner
    // mentioned count.
    const isTrustedHost =
      facts.kind !== "fetch" &&
      [...rules.domains].some((domain) => host === domain || host.endsWith(`.${domain}`));
    if (words.hasHost(host) || isTrustedHost) return [];
    const code = facts.kind === "fetch" ? "site_not_mentioned" : "link_not_mentioned";
    return [
      {
        kind: "host",
        value: host,
        why: { code, host },
        from: sourcesOf(labels, "host", host),
        notes: [],
      },
    ];
  });
}

/** A tool that does not report its recipients may reach anyone. */
function audienceRisks({ tool, facts, labels }: JudgeInput): Risk[] {
  const privateSources = labels.untrusted.filter((source) => source.private);
  if (facts.kind !== "other" || facts.recipients.length > 0 || privateSources.length === 0)
    return [];
  return [
    {
      kind: "channel",
      value: tool,
      why: { code: "visible_to_others" },
      from: distinct(privateSources),
      notes: [],
    },
  ];
}

/** A file counts as mentioned only under the name that it originally had. */
function attachmentRisks({ facts, labels }: JudgeInput, words: OwnerWords): Risk[] {
  return facts.attachments.flatMap(({ filename, digest }): Risk[] => {
    const original = labels.files.get(digest);
    if (original === filename && words.hasFile(original)) return [];
    const notes: Risk["notes"] =
      original !== undefined && original !== filename ? [{ code: "renamed", original }] : [];
    return [
      {
        kind: "attachment",
        value: filename,
        why: { code: "file_not_mentioned", filename },
        from: sourcesOf(labels, "digest", digest),
        notes,
      },
    ];
  });
}

function sourcesOf({ seen }: RunLabels, kind: SeenKind, value: string): Risk["from"] {
  return distinct(seen.get(keyOf(kind, value)) ?? []);
}

function distinct(sources: readonly Source[]): Risk["from"] {
  return [
    ...new Map(
      sources.map(({ origin, tool, actionId }) => [actionId, { origin, tool, actionId }]),
    ).values(),
  ];
}
