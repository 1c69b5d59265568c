import type { TrustLevel, RuleVerdict } from "@bron/protocol";
import { domainOf, normalizeAddress, normalizeHost } from "./names.ts";

/** The owner's rules at the time when an effect is judged. No model output can change them. */
export interface PolicyRules {
  readonly trustLevel: TrustLevel;
  /**
   * `AGENT_SIDE_EFFECTS_ENABLED`. When false, nothing outside Bron is changed, not even a draft.
   */
  readonly sideEffects: boolean;
  readonly rules: readonly {
    readonly tool: string;
    readonly verdict: RuleVerdict;
    readonly ofBron: boolean;
  }[];
  /** Normalized addresses. */
  readonly people: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
  /** Unexpired grants only. */
  readonly grants: readonly {
    readonly id: string;
    readonly tool: string;
    readonly recipient: string;
  }[];
}

export const defaultRules: PolicyRules = {
  trustLevel: "supervised",
  sideEffects: true,
  rules: [],
  people: new Set(),
  domains: new Set(),
  grants: [],
};

/**
 * Returns the rule for a tool. A denying rule always wins. Otherwise a rule of this Bron precedes a
 * general one, and an exact name precedes a pattern with a star. Among equals, "ask" wins.
 */
export function ruleFor({ rules }: PolicyRules, tool: string): RuleVerdict | undefined {
  const matching = rules.filter(({ tool: pattern }) => matches(pattern, tool));
  if (matching.some(({ verdict }) => verdict === "deny")) return "deny";
  const rank = ({ tool: pattern, ofBron }: (typeof matching)[number]) =>
    (ofBron ? 1_000 : 0) + (pattern.endsWith("*") ? pattern.length - 1 : 500);
  const best = Math.max(...matching.map(rank));
  const verdicts = matching.filter((rule) => rank(rule) === best).map(({ verdict }) => verdict);
  return verdicts.includes("ask") ? "ask" : verdicts[0];
}

function matches(pattern: string, tool: string): boolean {
  return pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool;
}

export function isTrusted({ people, domains }: PolicyRules, address: string): boolean {
  return people.has(address) || domains.has(domainOf(address));
}

export function grantFor(
  { grants }: PolicyRules,
  tool: string,
  address: string,
): string | undefined {
  return grants.find((grant) => grant.tool === tool && grant.recipient === address)?.id;
}

/**
 * Parses an entry of the trusted contacts: an address, or `@example.com` or `example.com` for
 * everyone at a domain. Returns undefined for anything else.
 */
export function parseTrustedContact(
  value: string,
): { readonly kind: "person" | "domain"; readonly value: string } | undefined {
  const clean = value.trim();
  if (/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(clean))
    return { kind: "person", value: normalizeAddress(clean) };
  const domain = /^@?((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})$/u.exec(clean)?.[1];
  return domain === undefined ? undefined : { kind: "domain", value: normalizeHost(domain) };
}
