import type { ESTree } from "vite";

/**
 * Whether a node is `...(x === undefined ? {} : { y: f(x) })`, perhaps with more conditions. Spreads
 * of two members, or of a member that does not come from the compared value, are something else.
 */
export function isConditionalSpread(node: ESTree.Node): boolean {
  if (node.type !== "SpreadElement" && node.type !== "JSXSpreadAttribute") return false;
  const choice = withoutParentheses(node.argument);
  if (choice.type !== "ConditionalExpression") return false;
  const branches = [choice.consequent, choice.alternate].map(withoutParentheses);
  const members = branches.flatMap((one) =>
    one.type === "ObjectExpression" ? one.properties : [],
  );
  const hasEmptyBranch = branches.some(
    (one) => one.type === "ObjectExpression" && one.properties.length === 0,
  );
  const [member, ...others] = members;
  if (!hasEmptyBranch || others.length > 0 || member?.type !== "Property") return false;
  const used = namesIn(member.value);
  return comparedWithUndefined(choice.test).some((name) => used.has(name));
}

/** The names in what a condition compares with undefined. */
function comparedWithUndefined(test: ESTree.Node): string[] {
  const node = withoutParentheses(test);
  if (node.type === "LogicalExpression")
    return [...comparedWithUndefined(node.left), ...comparedWithUndefined(node.right)];
  if (node.type !== "BinaryExpression") return [];
  const isComparison = node.right.type === "Identifier" && node.right.name === "undefined";
  return isComparison ? [...namesIn(node.left)] : [];
}

function namesIn(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== "object" || value === null) return found;
  if ("type" in value && value.type === "Identifier" && "name" in value)
    found.add(String(value.name));
  for (const [key, child] of Object.entries(value)) if (key !== "parent") namesIn(child, found);
  return found;
}

function withoutParentheses(node: ESTree.Node): ESTree.Node {
  return node.type === "ParenthesizedExpression" ? withoutParentheses(node.expression) : node;
}
