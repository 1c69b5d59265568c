import type { Risk, RiskKind } from "@bron/protocol";
import type { EffectFacts, Recipient } from "./effect-facts.ts";
import { lookAlike } from "./look-alike.ts";
import { domainOf, normaliseAddress } from "./names.ts";
import type { PolicyDecision } from "./policy-decision.ts";
import { readOwnerWords, type OwnerWords } from "./named-by-owner.ts";
import { grantFor, isListed, ruleFor, type PolicyRules } from "./rules.ts";
import { keyOf, type RunLabels, type SeenKind, type Source } from "./run-labels.ts";

export interface Judged {
  readonly tool: string;
  readonly seenBy: "owner" | "others";
  readonly facts: EffectFacts;
  readonly labels: RunLabels;
  readonly rules: PolicyRules;
  /** What the owner typed into the approval that this effect was edited in: trusted, for this effect only. */
  readonly edited?: string;
  /** Done, or perhaps done, by the run that this one tries again. */
  readonly repeats?: string;
}

/**
 * The policy: a pure function. In this order, the first that speaks decides:
 * 1. side effects switched off, or a rule that denies: deny;
 * 2. only the owner sees it: allow;
 * 3. the floor, at every trust level: what untrusted text may have chosen is asked about;
 * 4. a rule that asks: ask; 5. a rule that allows: allow; 6. the trust level.
 */
export function judge(judged: Judged): PolicyDecision {
  const { tool, seenBy, facts, rules } = judged;
  const isFetch = facts.kind === "fetch";
  const rule = ruleFor(rules, tool);
  if (!rules.sideEffects && !isFetch)
    return decide("deny", ["Changes outside Bron are switched off (AGENT_SIDE_EFFECTS_ENABLED)."]);
  if (rule === "deny") return decide("deny", ["A rule of yours denies it."]);
  if (seenBy === "owner" && !isFetch) return decide("allow", ["Only you can see what it changes."]);
  const risks = risksOf(judged);
  if (risks.length > 0)
    return decide(
      "ask",
      risks.map(({ why }) => why),
      risks,
    );
  if (rule === "ask") return decide("ask", ["A rule of yours asks about it."]);
  if (isFetch)
    return decide("allow", [
      "It only reads, from a place that you named or that nobody else chose.",
    ]);
  if (rule === "allow") return decide("allow", ["A rule of yours allows it."]);
  return byTrust(judged);
}

function decide(
  verdict: PolicyDecision["verdict"],
  reasons: readonly string[],
  risks: readonly Risk[] = [],
): PolicyDecision {
  return { verdict, reasons: [...new Set(reasons)], risks };
}

function byTrust({ tool, facts, rules }: Judged): PolicyDecision {
  if (rules.trustLevel === "autonomous")
    return decide("allow", [
      "You let this Bron act by itself, and nothing here was chosen by others.",
    ]);
  if (rules.trustLevel === "supervised")
    return decide("ask", [
      "It changes something outside Bron, and you are asked about every such change.",
    ]);
  const others = facts.recipients
    .map(({ address }) => normaliseAddress(address))
    .filter(
      (address) =>
        !isListed(rules, address) &&
        grantFor(rules, tool, address) === undefined &&
        !isOwn(facts, address),
    );
  if (facts.kind !== "mail")
    return decide("ask", [
      "It changes something outside Bron; only mail to people on your list goes out unasked.",
    ]);
  if (facts.recipients.length === 0 || others.length > 0)
    return decide("ask", [`Not on your list: ${others.join(", ") || "nobody is named"}.`]);
  return decide("allow", ["Everybody who gets it is on your list."]);
}

function isOwn({ account }: EffectFacts, address: string): boolean {
  return account !== "" && address === normaliseAddress(account);
}

/** Once untrusted text is in view, whatever it may have chosen is named, with where it was seen. */
function risksOf(judged: Judged): Risk[] {
  const { facts, labels, repeats } = judged;
  const warnings = [
    ...facts.warnings,
    ...(repeats === undefined || facts.kind === "fetch" ? [] : [repeats]),
  ].map((why): Risk => ({ kind: "warning", value: judged.tool, why, from: [], notes: [] }));
  if (labels.untrusted.length === 0) return warnings;
  const words = readOwnerWords(
    judged.edited === undefined ? labels.words : `${labels.words}\n${judged.edited}`,
  );
  return [
    ...warnings,
    ...toolRisks(judged),
    ...recipientRisks(judged, words),
    ...hostRisks(judged, words),
    ...attachmentRisks(judged, words),
    ...audienceRisks(judged),
  ];
}

/** An effect tool runs unasked only if it was in view before the first untrusted read: by the owner's words, or by a rule. */
function toolRisks({ tool, facts, labels, rules }: Judged): Risk[] {
  const isGranted =
    facts.recipients.length > 0 &&
    facts.recipients.every(
      ({ address }) => grantFor(rules, tool, normaliseAddress(address)) !== undefined,
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
      why: "Bron decided to do this only after it had read what others wrote.",
      from: distinct(labels.untrusted),
      notes: [],
    },
  ];
}

function recipientRisks({ tool, facts, labels, rules }: Judged, words: OwnerWords): Risk[] {
  const privately = labels.untrusted.filter((source) => source.private);
  return facts.recipients.flatMap((recipient): Risk[] => {
    const address = normaliseAddress(recipient.address);
    if (isOwn(facts, address)) return [];
    const isNamed = words.hasAddress(address) || words.callsByName({ ...recipient, address });
    const isFamiliar =
      isNamed ||
      recipient.known !== undefined ||
      isListed(rules, address) ||
      grantFor(rules, tool, address) !== undefined;
    const kind: RiskKind = recipient.role === "guest" ? "guest" : "recipient";
    const notes = notesOn(recipient, address, { facts, rules });
    if (!isFamiliar) {
      const from = sourcesOf(labels, "address", address);
      return [
        {
          kind,
          value: recipient.address,
          why: `${address} (${recipient.role}) was not named by you, and you have never written to them yourself.`,
          from,
          notes,
        },
      ];
    }
    const unaware = isNamed ? [] : privately.filter(({ readers }) => !readers.includes(address));
    if (unaware.length === 0) return [];
    return [
      {
        kind: "readers",
        value: recipient.address,
        why: `${address} was not named by you in this task, and what was read may not be meant for them.`,
        from: distinct(unaware),
        notes,
      },
    ];
  });
}

function notesOn(
  { known }: Recipient,
  address: string,
  { facts, rules }: Pick<Judged, "facts" | "rules">,
): string[] {
  const domains = [
    domainOf(normaliseAddress(facts.account)),
    ...rules.domains,
    ...[...rules.people].map(domainOf),
  ].filter(Boolean);
  const twin = lookAlike(address, domains);
  return [
    ...(known ? [] : ["You have never written to this address yourself."]),
    ...(twin === undefined ? [] : [`Its domain looks like ${twin}, and is another one.`]),
  ];
}

function hostRisks({ facts, labels, rules }: Judged, words: OwnerWords): Risk[] {
  return facts.hosts.flatMap((host): Risk[] => {
    // Being listed is no leave to be told what was read: for a fetch only the task's own words count.
    const isListedHost =
      facts.kind !== "fetch" &&
      [...rules.domains].some((domain) => host === domain || host.endsWith(`.${domain}`));
    if (words.hasHost(host) || isListedHost) return [];
    const why =
      facts.kind === "fetch"
        ? `You did not name ${host}: asking it would tell it something.`
        : `It links to ${host}, which you did not name.`;
    return [{ kind: "host", value: host, why, from: sourcesOf(labels, "host", host), notes: [] }];
  });
}

/** A tool that does not say whom it reaches may reach anybody. */
function audienceRisks({ tool, facts, labels }: Judged): Risk[] {
  const privately = labels.untrusted.filter((source) => source.private);
  if (facts.kind !== "other" || facts.recipients.length > 0 || privately.length === 0) return [];
  return [
    {
      kind: "channel",
      value: tool,
      why: "Nobody knows who sees what this does, and something private was read.",
      from: distinct(privately),
      notes: [],
    },
  ];
}

/** A file is named by the name that it came under, whatever it is called now. */
function attachmentRisks({ facts, labels }: Judged, words: OwnerWords): Risk[] {
  return facts.attachments.flatMap(({ filename, digest }): Risk[] => {
    const original = labels.files.get(digest);
    if (original === filename && words.hasFile(original)) return [];
    const notes =
      original !== undefined && original !== filename ? [`It came as ${original}.`] : [];
    return [
      {
        kind: "attachment",
        value: filename,
        why: `You did not name the file ${filename}.`,
        from: sourcesOf(labels, "digest", digest),
        notes,
      },
    ];
  });
}

function sourcesOf({ seen }: RunLabels, kind: SeenKind, value: string): Risk["from"] {
  return distinct(seen.get(keyOf(kind, value)) ?? []);
}

const mostSources = 10;

function distinct(sources: readonly Source[]): Risk["from"] {
  return [
    ...new Map(
      sources.map(({ origin, tool, actionId }) => [actionId, { origin, tool, actionId }]),
    ).values(),
  ].slice(0, mostSources);
}
