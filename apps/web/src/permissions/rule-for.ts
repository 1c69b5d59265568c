import type { RuleView } from "@bron/protocol";

/**
 * The rule that applies to a tool of a Bron, in the server's order of precedence: a deny rule first,
 * then a rule of this Bron, then the closest name, then the stricter verdict.
 */
export function ruleFor(
  rules: readonly RuleView[],
  tool: string,
  bronId: string,
): RuleView | undefined {
  const matching = rules.filter(
    (rule) => (rule.bronId === null || rule.bronId === bronId) && matches(rule.tool, tool),
  );
  const rank = ({ verdict, bronId: of, tool: pattern }: RuleView) => [
    verdict === "deny" ? 1 : 0,
    of === null ? 0 : 1,
    pattern.endsWith("*") ? pattern.length - 1 : 500,
    verdict === "ask" ? 1 : 0,
  ];
  return matching.toSorted((a, b) => compare(rank(b), rank(a)))[0];
}

function matches(pattern: string, tool: string): boolean {
  return pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool;
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, at) => value - (b[at] ?? 0)).find((diff) => diff !== 0) ?? 0;
}
