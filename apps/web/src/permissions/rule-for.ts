import type { RuleView } from "@bron/protocol";

/**
 * The rule that applies to every call of a tool of a Bron, in the server's order of precedence: a
 * deny rule first, then a rule of this Bron, then the closest name, then the stricter verdict. A rule
 * for a website is about some calls only, and one for an MCP server about other tools.
 */
export function ruleFor(
  rules: readonly RuleView[],
  tool: string,
  bronId: string,
): RuleView | undefined {
  const matching = rules.filter(
    (rule) =>
      isGeneral(rule) &&
      (rule.bronId === null || rule.bronId === bronId) &&
      matches(rule.tool, tool),
  );
  const rank = ({ verdict, bronId: of, tool: pattern }: RuleView) => [
    verdict === "deny" ? 1 : 0,
    of === null ? 0 : 1,
    pattern.endsWith("*") ? pattern.length - 1 : 500,
    verdict === "ask" ? 1 : 0,
  ];
  return matching.toSorted((a, b) => compare(rank(b), rank(a)))[0];
}

/** The rule that the owner chose for a tool of one Bron, by its exact name. */
export function ownRuleFor(
  rules: readonly RuleView[],
  tool: string,
  bronId: string,
): RuleView | undefined {
  return rules.find((rule) => isGeneral(rule) && rule.bronId === bronId && rule.tool === tool);
}

/** Whether the rule is about a tool everywhere. */
const isGeneral = ({ host, server }: Pick<RuleView, "host" | "server">) =>
  host === null && server === null;

function matches(pattern: string, tool: string): boolean {
  return pattern.endsWith("*") ? tool.startsWith(pattern.slice(0, -1)) : pattern === tool;
}

function compare(a: readonly number[], b: readonly number[]): number {
  return a.map((value, at) => value - (b[at] ?? 0)).find((diff) => diff !== 0) ?? 0;
}
