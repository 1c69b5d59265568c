import { omitUndefined, type PolicyReason, type Risk, type RiskReason } from "@bron/protocol";
import { canonicalJson } from "./canonical-json.ts";
import { targetsOf, type EffectFacts, type Recipient, type Target } from "./effect-facts.ts";
import type { EffectKind } from "../intent/effect-kinds.ts";
import type { ReadIntent } from "../intent/intent.ts";
import { compareWithAsks, useKey, violated } from "../intent/outside-ask.ts";
import { endsLikeFile } from "./linked-hosts.ts";
import { lookAlike } from "./look-alike.ts";
import { domainOf, normalizeAddress } from "./names.ts";
import { siteOf } from "./normalize-url.ts";
import type { PolicyDecision } from "./policy-decision.ts";
import { readOwnerWords, type OwnerWords } from "./named-by-owner.ts";
import {
  applies,
  grantFor,
  isTrusted,
  ruleFor,
  targetGrantFor,
  type PolicyRules,
  type RuledCall,
} from "./rules.ts";
import { keyOf, type RunLabels, type SeenKind, type Source } from "./run-labels.ts";
import { serverReader } from "./server-reader.ts";

export interface JudgeInput {
  readonly tool: string;
  readonly seenBy: "owner" | "others";
  /** See `Tool`. */
  readonly effectKind?: EffectKind | undefined;
  /** What the owner's words ask for. Used only for effects that words can ask for. */
  readonly intent?: ReadIntent;
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
 * 2. Only the owner sees it: allow. A server's word does not count for this.
 * 3. The owner's words do not ask for all of it, or untrusted text may have chosen part of it: ask,
 *    at every trust level.
 * 4. A rule asks: ask.
 * 5. A rule allows: allow.
 * 6. It is a tool of a server that no rule and no grant names: ask, at every trust level.
 * 7. Otherwise the trust level decides.
 */
export function judge(input: JudgeInput): PolicyDecision {
  const { seenBy, facts, rules } = input;
  const isFetch = facts.kind === "fetch";
  const call = callOf(input);
  const [server] = targetsOf(facts, "server");
  const rule = ruleFor(rules, call);
  if (!rules.sideEffects && !isFetch) return decide("deny", [{ code: "side_effects_off" }]);
  if (rule?.verdict === "deny") return decide("deny", [reasonOf("rule_denies", rule)]);
  if (seenBy === "owner" && !isFetch && !server)
    return decide("allow", [{ code: "only_owner_sees" }]);
  const risks = risksOf(input);
  if (risks.length > 0)
    return decide(
      "ask",
      risks.map(({ why }) => why),
      risks,
    );
  if (rule?.verdict === "ask") return decide("ask", [reasonOf("rule_asks", rule)]);
  if (isFetch) return decide("allow", [{ code: "site_mentioned" }]);
  if (rule?.verdict === "allow") return decide("allow", [reasonOf("rule_allows", rule)]);
  if (server && targetGrantFor(rules, call) === undefined)
    return decide("ask", [{ code: "server_not_allowed", server: server.server }]);
  return byTrust(input);
}

/**
 * Judges a call of a tool that only reads, before it is made. Only a rule with the exact name of the
 * tool denies it. A pattern with a star is about effects.
 */
export function judgeRead(
  tool: string,
  { rules }: Pick<PolicyRules, "rules">,
  targets: readonly Target[] = [],
): PolicyDecision {
  const rule = rules.find(
    (candidate) =>
      candidate.verdict === "deny" &&
      candidate.tool === tool &&
      applies(candidate, { tool, targets }),
  );
  return rule ? decide("deny", [reasonOf("rule_denies", rule)]) : decide("allow", []);
}

function callOf({ tool, facts }: Pick<JudgeInput, "tool" | "facts">): RuledCall {
  return { tool, targets: facts.targets };
}

/** The reason says which host or server the rule names, so that the owner finds the rule. */
function reasonOf(
  code: "rule_denies" | "rule_asks" | "rule_allows",
  { host, server }: { readonly host?: string | null; readonly server?: string | null },
): PolicyReason {
  return { code, ...omitUndefined({ host: host ?? undefined, server: server ?? undefined }) };
}

function decide(
  verdict: PolicyDecision["verdict"],
  reasons: readonly PolicyReason[],
  risks: readonly Risk[] = [],
): PolicyDecision {
  const distinctReasons = new Map(reasons.map((reason) => [canonicalJson(reason), reason]));
  return { verdict, reasons: [...distinctReasons.values()], risks };
}

function byTrust(input: JudgeInput): PolicyDecision {
  const { facts, rules } = input;
  const call = callOf(input);
  if (rules.trustLevel === "autonomous") return decide("allow", [{ code: "autonomous" }]);
  if (rules.trustLevel === "supervised") return decide("ask", [{ code: "supervised" }]);
  const untrusted = facts.recipients
    .map(({ address }) => normalizeAddress(address))
    .filter(
      (address) =>
        !isTrusted(rules, address) &&
        grantFor(rules, call, address) === undefined &&
        !isOwn(facts, address),
    );
  if (targetGrantFor(rules, call) !== undefined) return decide("allow", [{ code: "granted" }]);
  if (facts.kind !== "mail") return decide("ask", [{ code: "delegated" }]);
  if (facts.recipients.length === 0) return decide("ask", [{ code: "no_recipient" }]);
  if (untrusted.length > 0)
    return decide("ask", [{ code: "recipients_not_trusted", addresses: untrusted }]);
  return decide("allow", [{ code: "recipients_trusted" }]);
}

function isOwn({ account }: EffectFacts, address: string): boolean {
  return account !== "" && address === normalizeAddress(account);
}

/** Lists everything that the owner did not ask for, and where it was seen. */
function risksOf(input: JudgeInput): Risk[] {
  const { facts, labels, repeats } = input;
  const warnings = [
    ...facts.warnings,
    ...(repeats === undefined || facts.kind === "fetch" ? [] : [repeats]),
  ].map((why): Risk => ({ kind: "warning", value: input.tool, why, from: [], notes: [] }));
  const words = readOwnerWords(
    input.edited === undefined ? labels.words : `${labels.words}\n${input.edited}`,
  );
  if (facts.kind === "fetch") return [...warnings, ...fetchRisks(input)];
  const seen =
    labels.untrusted.length === 0
      ? []
      : [...hostRisks(input, words), ...valueRisks(input, words), ...attachmentRisks(input, words)];
  const asked =
    input.effectKind === undefined || facts.kind === "server"
      ? unknownEffectRisks(input, words)
      : intentRisks(input, words);
  return [...warnings, ...asked, ...seen];
}

/** Links of a site that are opened without asking in one run. */
const maxFreeLinks = 20;

/**
 * Opening a page tells its site something, at least that it was opened. Once text of others is in
 * view, only a page is opened that the words ask for, or a link within its site. Once private text
 * is in view, no link is free, because choosing among prepared links can spell out a secret.
 */
function fetchRisks(input: JudgeInput): Risk[] {
  const { facts, labels, intent = "unread" } = input;
  if (labels.untrusted.length === 0) return [];
  const isPrivate = hasPrivateText(labels);
  const urls = facts.things ?? [];
  const areFree = urls.length > 0 && urls.every(({ id }) => isFreeLink(labels, id));
  if (!isPrivate && areFree) return [];
  const risks = facts.hosts.map((host): Risk => ({
    kind: "host",
    value: host,
    why: { code: "site_not_mentioned", host },
    from: sourcesOf(labels, "host", host),
    notes: [],
  }));
  const isNamedByRule = mayContact(input);
  if (intent === "unread" || facts.things === undefined) return isNamedByRule ? [] : risks;
  // Opening a page again tells its site nothing new, unless private text has been read since.
  const asked = isPrivate ? intent : { ...intent, used: new Set<string>() };
  const compared = compareWithAsks(facts, asked, () => false);
  const forbidden = violated(facts, intent, compared).map(({ words }): Risk => ({
    kind: "warning",
    value: facts.hosts.join(", "),
    why: { code: "forbidden_by_words", words },
    from: [],
    notes: [],
  }));
  const isInside = compared.ask !== undefined && compared.outside.things.length === 0;
  return isInside || isNamedByRule ? forbidden : [...forbidden, ...risks];
}

/**
 * Whether a rule or a grant that names the hosts lets the call contact them. It does not say that
 * they may learn private text.
 */
function mayContact(input: JudgeInput): boolean {
  const { labels, rules } = input;
  const call = callOf(input);
  if (hasPrivateText(labels)) return false;
  const rule = ruleFor(rules, call);
  const hostGrants = rules.grants.filter(({ host }) => typeof host === "string");
  return (
    (rule?.verdict === "allow" && typeof rule.host === "string") ||
    targetGrantFor({ grants: hostGrants }, call) !== undefined
  );
}

/** Whether a page of the same site, which was opened before, has this link. */
function isFreeLink({ seen, untrusted }: RunLabels, url: string): boolean {
  const pages = untrusted.filter(({ origin }) => origin === "web");
  const from = seen.get(keyOf("url", url)) ?? [];
  return (
    pages.length <= maxFreeLinks &&
    from.some(({ site }) => site !== undefined && site === siteOf(url))
  );
}

function hasPrivateText({ untrusted }: RunLabels): boolean {
  return untrusted.some((source) => source.private);
}

/** The owner's words cannot ask for such an effect, and it may reach anyone. */
function unknownEffectRisks(input: JudgeInput, words: OwnerWords): Risk[] {
  const { tool, facts } = input;
  const untrusted = unknownToServer(input);
  if (untrusted.length === 0) return [];
  const privateSources = untrusted.filter((source) => source.private);
  return [
    {
      kind: "tool",
      value: tool,
      why: { code: "decided_after_reading" },
      from: distinct(untrusted),
      notes: [],
    },
    ...(privateSources.length === 0
      ? []
      : [
          {
            kind: "channel",
            value: tool,
            why: { code: "visible_to_others" },
            from: distinct(privateSources),
            notes: [],
          } as const,
        ]),
    ...notInWords(facts.recipients, words).map((recipient) => recipientRisk(recipient, input)),
  ];
}

/**
 * What the run has read, without the results of the server that the tool came from. A rule or grant
 * for the server lets it use what it returned itself.
 */
function unknownToServer(input: JudgeInput): readonly Source[] {
  const { facts, labels, rules } = input;
  const [server] = targetsOf(facts, "server");
  const call = callOf(input);
  const isAllowed =
    ruleFor(rules, call)?.verdict === "allow" || targetGrantFor(rules, call) !== undefined;
  if (!server || !isAllowed) return labels.untrusted;
  const reader = serverReader(server.server);
  return labels.untrusted.filter(({ readers }) => !readers.includes(reader));
}

function notInWords(recipients: readonly Recipient[], words: OwnerWords): Recipient[] {
  return recipients.filter(({ address }) => !words.hasAddress(normalizeAddress(address)));
}

/** Compares the effect with what the owner's words ask for and forbid. */
function intentRisks(input: JudgeInput, words: OwnerWords): Risk[] {
  const { tool, labels, intent = "unread" } = input;
  const facts = factsForWords(input);
  const from = distinct(labels.untrusted);
  const risk = (why: RiskReason): Risk => ({ kind: "tool", value: tool, why, from, notes: [] });
  if (intent === "unread")
    return [
      risk({ code: "words_not_read" }),
      ...notInWords(facts.recipients, words).map((recipient) => recipientRisk(recipient, input)),
    ];
  const compared = compareWithAsks(facts, intent, isNamedOtherwise(input));
  const { ask, outside, isUsed } = compared;
  return [
    ...(ask ? [] : [risk({ code: isUsed ? "asked_for_once" : "not_asked_for" })]),
    ...violated(facts, intent, compared).map((prohibition): Risk => ({
      kind: "warning",
      value: prohibition.value || tool,
      why: { code: "forbidden_by_words", words: prohibition.words },
      from: [],
      notes: [],
    })),
    ...outside.recipients.map((recipient) => recipientRisk(recipient, input)),
    ...outside.things.map(({ kind, id, title }): Risk => ({
      kind: kind === "channel" ? "channel" : "thing",
      value: title || id,
      why: { code: "thing_not_mentioned", title: title || id },
      from,
      notes: [],
    })),
    ...outside.fields.map((field): Risk => ({
      kind: "field",
      value: field,
      why: { code: "field_not_mentioned", field },
      from,
      notes: [],
    })),
  ];
}

const textFields: ReadonlySet<string> = new Set(["title", "location", "description"]);

/**
 * Guests who are on the list already are recipients of a new text once private text is in view,
 * because the new text may repeat it.
 */
function factsForWords({ facts, labels }: JudgeInput): EffectFacts {
  const isTold =
    facts.fields?.some((field) => textFields.has(field)) === true && hasPrivateText(labels);
  if (!isTold) return facts;
  const recipients = facts.recipients.map(({ isPresent: _, ...recipient }) => recipient);
  return { ...facts, recipients };
}

/** A grant replaces the check of its recipient. So does an address that the owner typed here. */
function isNamedOtherwise(input: JudgeInput): (one: Recipient) => boolean {
  const { rules, edited } = input;
  const call = callOf(input);
  const typed = edited === undefined ? undefined : readOwnerWords(edited);
  return ({ address: text }) => {
    const address = normalizeAddress(text);
    return grantFor(rules, call, address) !== undefined || typed?.hasAddress(address) === true;
  };
}

function recipientRisk(recipient: Recipient, input: JudgeInput): Risk {
  const address = normalizeAddress(recipient.address);
  return {
    kind: recipient.role === "guest" ? "guest" : "recipient",
    value: recipient.address,
    why: { code: "recipient_not_mentioned", address, role: recipient.role },
    from: sourcesOf(input.labels, "address", address),
    notes: notesOn(recipient, address, input),
  };
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
    const isTrustedHost = [...rules.domains].some(
      (domain) => host === domain || host.endsWith(`.${domain}`),
    );
    if (words.hasHost(host) || isTrustedHost) return [];
    return [
      {
        kind: "host",
        value: host,
        why: { code: "link_not_mentioned", host },
        from: sourcesOf(labels, "host", host),
        notes: [],
      },
    ];
  });
}

/**
 * Addresses, accounts and the like in the content. The owner's own address and those of the
 * recipients are known to its readers.
 */
function valueRisks({ facts, labels }: JudgeInput, words: OwnerWords): Risk[] {
  const known = new Set(
    [facts.account, ...facts.recipients.map(({ address }) => address)].map(normalizeAddress),
  );
  return (facts.values ?? [])
    .filter((value) => !known.has(value) && !words.hasValue(value))
    .map((value): Risk => ({
      kind: "value",
      value,
      why: { code: "value_not_mentioned", value },
      from: sourcesOf(labels, "value", value),
      notes: [],
    }));
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

/**
 * The key of the ask that covers all of an effect, so that no other effect may use it. See `useKey`.
 */
export function askUsedBy(input: JudgeInput): string | undefined {
  const { intent, effectKind } = input;
  const facts = factsForWords(input);
  if (facts.kind === "fetch" && !hasPrivateText(input.labels)) return undefined;
  if (intent === undefined || intent === "unread" || effectKind === undefined) return undefined;
  const { ask, outside } = compareWithAsks(facts, intent, isNamedOtherwise(input));
  const isInside = Object.values(outside).every((list) => list.length === 0);
  return ask && isInside ? useKey(ask, facts) : undefined;
}
