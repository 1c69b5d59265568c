import { omitUndefined, type PolicyReason, type Risk } from "@bron/protocol";
import { canonicalJson } from "./canonical-json.ts";
import { contentRisks } from "./risks/content-risks.ts";
import { deniedReason, denialRisks } from "./risks/denied-before.ts";
import { targetsOf, type EffectFacts, type Target } from "./effect-facts.ts";
import { fetchRisks } from "./risks/fetch-risks.ts";
import { intentRisks } from "./risks/intent-risks.ts";
import { callOf, type JudgeInput } from "./judge-input.ts";
import { readOwnerWords, type OwnerWords } from "./owner-words/named-by-owner.ts";
import { normalizeAddress } from "./text/names.ts";
import { offerRewrite } from "./offer-rewrite.ts";
import type { PolicyDecision } from "./policy-decision.ts";
import { everythingRead } from "./risks/risk-sources.ts";
import {
  applies,
  grantFor,
  isTrusted,
  ruleFor,
  targetGrantFor,
  trustedContact,
  type PolicyRules,
} from "./permissions/rules.ts";
import { sharedChannelRisks } from "./risks/shared-channel-risks.ts";
import { unknownEffectRisks } from "./risks/unknown-effect-risks.ts";

/**
 * The policy, a pure function. The first matching line decides:
 * 1. Side effects are switched off, a rule denies, or the owner denied it in this task: deny.
 * 2. Only the owner sees it: allow what their words ask for, and ask about the rest. A server's
 *    word does not count for this.
 * 3. The owner's words do not ask for all of it, or untrusted text may have chosen part of it: ask,
 *    at every trust level.
 * 4. A rule asks: ask.
 * 5. A rule allows: allow.
 * 6. It is a tool of a server that no rule and no grant names: ask, at every trust level.
 * 7. Otherwise the trust level decides.
 */
export function judge(input: JudgeInput): PolicyDecision {
  const { facts, rules } = input;
  const isFetch = facts.kind === "fetch";
  const rule = ruleFor(rules, callOf(input));
  if (!rules.sideEffects && !isFetch) return decide("deny", [{ code: "side_effects_off" }]);
  if (rule?.verdict === "deny") return decide("deny", [reasonOf("rule_denies", rule)]);
  const words = ownerWordsOf(input);
  const denied = deniedReason(input, words);
  if (denied !== undefined) return decide("deny", [denied]);
  const risks = risksOf(input, words);
  const toAsk = isOwnersOnly(input) ? risks.filter(({ kind }) => !shownOnly.has(kind)) : risks;
  const decision = decideByRules(input, rule);
  if (toAsk.length === 0) return { ...decision, risks };
  const rewrite = decision.verdict === "allow" ? offerRewrite(input, toAsk) : undefined;
  const reasons = toAsk.map(({ why }) => why);
  return { ...decide("ask", reasons, risks), ...omitUndefined({ rewrite }) };
}

/** Only the owner sees it. A server's word does not count for this, and a site sees who opens it. */
function isOwnersOnly({ seenBy, facts }: JudgeInput): boolean {
  return seenBy === "owner" && facts.kind !== "fetch" && targetsOf(facts, "server").length === 0;
}

/** What is decided if nothing is a risk. */
function decideByRules(input: JudgeInput, rule: ReturnType<typeof ruleFor>): PolicyDecision {
  const { facts, rules } = input;
  const isFetch = facts.kind === "fetch";
  const [server] = targetsOf(facts, "server");
  if (rule?.verdict === "ask") return decide("ask", [reasonOf("rule_asks", rule)]);
  if (isOwnersOnly(input)) return decide("allow", [{ code: "only_owner_sees" }]);
  if (isFetch) return decide("allow", [{ code: "site_mentioned" }]);
  if (rule?.verdict === "allow") return decide("allow", [reasonOf("rule_allows", rule)]);
  if (server && targetGrantFor(rules, callOf(input)) === undefined)
    return decide("ask", [{ code: "server_not_allowed", server: server.server }]);
  return byTrust(input);
}

/**
 * Risks of content do not leave with a draft or a note. The owner is shown them, and asked about
 * them when it is sent.
 */
const shownOnly: ReadonlySet<Risk["kind"]> = new Set(["host", "value", "attachment"]);

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
        !isOwnAddress(facts, address),
    );
  if (targetGrantFor(rules, call) !== undefined) return decide("allow", [{ code: "granted" }]);
  if (facts.kind !== "mail") return decide("ask", [{ code: "delegated" }]);
  if (facts.recipients.length === 0) return decide("ask", [{ code: "no_recipient" }]);
  if (untrusted.length > 0)
    return decide("ask", [{ code: "recipients_not_trusted", addresses: untrusted }]);
  const contacts = facts.recipients
    .map(({ address }) => trustedContact(rules, normalizeAddress(address)))
    .filter((contact) => contact !== undefined);
  return decide("allow", [{ code: "recipients_trusted", contacts: [...new Set(contacts)] }]);
}

function isOwnAddress({ account }: EffectFacts, address: string): boolean {
  return account !== "" && address === normalizeAddress(account);
}

/** Lists everything that the owner did not ask for, and where it was seen. */
function risksOf(input: JudgeInput, words: OwnerWords): Risk[] {
  const { facts, repeats } = input;
  const warnings = [
    ...facts.warnings,
    ...(repeats === undefined || facts.kind === "fetch" ? [] : [repeats]),
  ].map((why): Risk => ({
    kind: "warning",
    value: input.tool,
    why,
    ...(isTyped(why, input) ? { from: [] } : everythingRead(input.labels)),
    notes: [],
  }));
  const before = denialRisks(input);
  if (facts.kind === "fetch") return [...warnings, ...before, ...fetchRisks(input)];
  const asked =
    input.effectKind === undefined || facts.kind === "server"
      ? unknownEffectRisks(input, words)
      : intentRisks(input, words);
  return [
    ...warnings,
    ...before,
    ...asked,
    ...sharedChannelRisks(input),
    ...contentRisks(input, words),
  ];
}

/** Whether the owner typed the mention of a group. Other warnings are about what was read. */
function isTyped(why: Risk["why"], { labels }: JudgeInput): boolean {
  return (
    typeof why === "object" &&
    why.code === "notifies_group" &&
    labels.words.toLowerCase().includes(why.mention.toLowerCase())
  );
}

function ownerWordsOf({ labels, edited }: JudgeInput): OwnerWords {
  return readOwnerWords(edited === undefined ? labels.words : `${labels.words}\n${edited}`);
}
