import type { TrustLevel, RuleVerdict } from "@bron/protocol";
import { targetsOf, type Target } from "../effect-facts.ts";
import { hostOfUrl, matchesHost, type HostPattern } from "./host-pattern.ts";
import { domainOf, normalizeAddress, normalizeHost } from "../text/names.ts";

/** The owner's rules at the time when an effect is judged. No model output can change them. */
export interface PolicyRules {
  readonly trustLevel: TrustLevel;
  /**
   * `AGENT_SIDE_EFFECTS_ENABLED`. When false, nothing outside Bron is changed, not even a draft.
   */
  readonly sideEffects: boolean;
  readonly rules: readonly Rule[];
  /** Normalized addresses. */
  readonly people: ReadonlySet<string>;
  /** What the owner calls some of these people, by address. */
  readonly contactNames: ReadonlyMap<string, string>;
  readonly domains: ReadonlySet<string>;
  /** Unexpired grants only. */
  readonly grants: readonly Grant[];
}

/** The rules without the switch for side effects, which is not stored. */
export type StoredRules = Omit<PolicyRules, "sideEffects">;

/** The tools that a rule or grant is about, and where they may go. Null or absent: anywhere. */
interface Scope {
  /**
   * The name of a tool. A trailing star matches any suffix. With a server, it is the name that the
   * tool has there.
   */
  readonly tool: string;
  /** Only calls whose URLs match. */
  readonly host?: HostPattern | null;
  /** Only tools of this MCP server. */
  readonly server?: string | null;
}

export interface Rule extends Scope {
  readonly verdict: RuleVerdict;
  readonly ofBron: boolean;
}

interface Grant extends Scope {
  readonly id: string;
  /** A normalized address. Null: the grant names a host or a server instead. */
  readonly recipient: string | null;
  /** It also counts once the run has read private text. */
  readonly includesPrivate: boolean;
}

/** A call as rules see it. */
export interface RuledCall {
  readonly tool: string;
  readonly targets?: readonly Target[] | undefined;
}

export const defaultRules: PolicyRules = {
  trustLevel: "supervised",
  sideEffects: true,
  rules: [],
  people: new Set(),
  contactNames: new Map(),
  domains: new Set(),
  grants: [],
};

/**
 * Returns the rule for a call. A denying rule always wins. Otherwise a rule of this Bron precedes a
 * general one, then one that names the server, then an exact tool name, then an exact host. Among
 * equals, "ask" wins.
 */
export function ruleFor({ rules }: Pick<PolicyRules, "rules">, call: RuledCall): Rule | undefined {
  return rules.filter((rule) => applies(rule, call)).toSorted(byPrecedence)[0];
}

/**
 * A rule that denies or asks applies if one of the URLs matches its host, a rule that allows only if
 * all do. A rule that allows reaches a tool of a server only if it names the server.
 */
export function applies(rule: Rule, { tool, targets = [] }: RuledCall): boolean {
  const isAllow = rule.verdict === "allow";
  return matchesTool(rule, { tool, targets }, isAllow) && matchesUrls(rule, targets, isAllow);
}

function matchesTool(
  { tool: pattern, server }: Scope,
  { tool, targets = [] }: RuledCall,
  isAllow: boolean,
): boolean {
  const [from] = targetsOf({ targets }, "server");
  if (typeof server === "string")
    return from !== undefined && from.server === server && matches(pattern, from.tool);
  return !(isAllow && from) && matches(pattern, tool);
}

function matchesUrls({ host }: Scope, targets: readonly Target[], isAllow: boolean): boolean {
  if (typeof host !== "string") return true;
  const hosts = targetsOf({ targets }, "url").map(({ url }) => hostOfUrl(url));
  return isAllow
    ? hosts.length > 0 && hosts.every((name) => matchesHost(host, name, "allow"))
    : hosts.some((name) => matchesHost(host, name, "restrict"));
}

function byPrecedence(a: Rule, b: Rule): number {
  const [left, right] = [precedence(a), precedence(b)];
  const at = left.findIndex((value, index) => value !== right[index]);
  return at === -1 ? 0 : (right[at] ?? 0) - (left[at] ?? 0);
}

const exact = 1_000;

function precedence({ verdict, ofBron, tool, host, server }: Rule): number[] {
  return [
    verdict === "deny" ? 1 : 0,
    ofBron ? 1 : 0,
    typeof server === "string" ? 1 : 0,
    tool.endsWith("*") ? tool.length : exact,
    typeof host !== "string" ? 0 : host.startsWith("*.") ? host.length : exact,
    verdict === "ask" ? 1 : 0,
  ];
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : pattern === name;
}

export function isTrusted(rules: PolicyRules, address: string): boolean {
  return trustedContact(rules, address) !== undefined;
}

/** The trusted contact that includes an address: the address or its domain. */
export function trustedContact(
  { people, domains }: PolicyRules,
  address: string,
): string | undefined {
  if (people.has(address)) return address;
  const domain = domainOf(address);
  return domains.has(domain) ? domain : undefined;
}

/** The id of a grant that lets the call reach a recipient. */
export function grantFor(
  { grants }: PolicyRules,
  call: RuledCall,
  address: string,
): string | undefined {
  return grants.find((grant) => grant.recipient === address && matchesTool(grant, call, true))?.id;
}

/** The id of a grant that names the server of the call, or a host that all of its URLs match. */
export function targetGrantFor(
  { grants }: Pick<PolicyRules, "grants">,
  call: RuledCall,
): string | undefined {
  return grants.find(
    (grant) =>
      grant.recipient === null &&
      (typeof grant.server === "string" || typeof grant.host === "string") &&
      matchesTool(grant, call, true) &&
      matchesUrls(grant, call.targets ?? [], true),
  )?.id;
}

export interface TrustedContact {
  readonly kind: "person" | "domain";
  readonly value: string;
  /** What the owner calls this person. */
  readonly name: string | null;
}

/**
 * Parses an entry of the trusted contacts: an address, also with a name or role before it, or
 * `@example.com` or `example.com` for everyone at a domain. Returns undefined for anything else.
 */
export function parseTrustedContact(value: string): TrustedContact | undefined {
  const clean = value.trim();
  const named = /^"?([^<>"@]+)"?<([^<>@\s]+@[^<>@\s]+\.[^<>@\s]+)>$/.exec(clean);
  if (named)
    return {
      kind: "person",
      value: normalizeAddress(named[2] ?? ""),
      name: named[1]?.trim() || null,
    };
  if (/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(clean))
    return { kind: "person", value: normalizeAddress(clean), name: null };
  const domain = /^@?((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})$/u.exec(clean)?.[1];
  return domain === undefined
    ? undefined
    : { kind: "domain", value: normalizeHost(domain), name: null };
}
