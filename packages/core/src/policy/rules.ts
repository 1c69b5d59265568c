import type { TrustLevel, RuleVerdict } from "@bron/protocol";
import { domainOf, normaliseAddress, normaliseHost } from "./names.ts";

/** What the owner has laid down, as it stands when an effect is judged. No model output can change it. */
export interface PolicyRules {
  readonly trustLevel: TrustLevel;
  /** `AGENT_SIDE_EFFECTS_ENABLED`: off, nothing outside is changed, not even a draft. */
  readonly sideEffects: boolean;
  readonly rules: readonly {
    readonly tool: string;
    readonly verdict: RuleVerdict;
    readonly ofBron: boolean;
  }[];
  /** Normalised. */
  readonly people: ReadonlySet<string>;
  readonly domains: ReadonlySet<string>;
  /** Live ones only. */
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

/** The stricter of those that name the tool; one of this Bron's own goes before one of all, and a name before a star. */
export function ruleFor({ rules }: PolicyRules, tool: string): RuleVerdict | undefined {
  const fitting = rules.filter(({ tool: pattern }) => matches(pattern, tool));
  if (fitting.some(({ verdict }) => verdict === "deny")) return "deny";
  const rank = ({ tool: pattern, ofBron }: (typeof fitting)[number]) =>
    (ofBron ? 1_000 : 0) + (pattern.endsWith("*") ? pattern.length - 1 : 500);
  const best = Math.max(...fitting.map(rank));
  const verdicts = fitting.filter((rule) => rank(rule) === best).map(({ verdict }) => verdict);
  return verdicts.includes("ask") ? "ask" : verdicts[0];
}

function matches(pattern: string, tool: string): boolean {
  return pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool;
}

export function isListed({ people, domains }: PolicyRules, address: string): boolean {
  return people.has(address) || domains.has(domainOf(address));
}

export function grantFor(
  { grants }: PolicyRules,
  tool: string,
  address: string,
): string | undefined {
  return grants.find((grant) => grant.tool === tool && grant.recipient === address)?.id;
}

/** What a person lists: an address, or `@example.com` and `example.com` for everybody there. Undefined for neither. */
export function readListed(
  value: string,
): { readonly kind: "person" | "domain"; readonly value: string } | undefined {
  const clean = value.trim();
  if (/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(clean))
    return { kind: "person", value: normaliseAddress(clean) };
  const domain = /^@?((?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,})$/u.exec(clean)?.[1];
  return domain === undefined ? undefined : { kind: "domain", value: normaliseHost(domain) };
}
