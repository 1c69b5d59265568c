import { sampleCount } from "@bron/testing";
import { BronError } from "@bron/core";
import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluateExpression } from "./evaluate-expression.ts";

test.each([
  ["1 + 2 * 3", 7],
  ["(1 + 2) * 3", 9],
  ["2 ^ 3 ^ 2", 512],
  ["2 ** 10", 1024],
  ["-2 ^ 2", -4],
  ["2 ^ -2", 0.25],
  ["--3", 3],
  ["10 - 4 - 3", 3],
  ["100 / 10 / 5", 2],
  ["10 % 3", 1],
  ["10 % (0 - 3)", 1],
  ["17% of 2340", 397.8],
  ["17 % of 2,340", 397.8],
  ["17% OF 2340 + 1", 398.8],
  ["10% of 50% of 200", 10],
  ["50%", 0.5],
  ["200 * 10%", 20],
  ["200 + 10% of 200", 220],
  ["1,234,567.89 + 0.11", 1_234_568],
  ["1,000 * 1,000", 1_000_000],
  [".5 + .25", 0.75],
  ["1e3 + 1.5E-1", 1000.15],
  ["0.1 + 0.2", 0.3],
  ["1.005 * 1000", 1005],
  ["3 × 4 ÷ 2 − 1", 5],
  ["sqrt(16) + sqrt( 2 + 2 )", 6],
  ["9007199254740991", 9_007_199_254_740_991],
  ["0 * -1", 0],
])("%s is %d", (expression, result) => {
  expect(evaluateExpression(expression)).toBe(result);
});

test.each([
  ["", /found the end of the expression/],
  ["1 +", /found the end of the expression/],
  ["* 2", /Expected a number, found "\*"/],
  ["1 2", /Expected an operator, found "2"/],
  ["(1 + 2", /not closed/],
  ["1 + 2)", /Expected an operator, found "\)"/],
  ["1 / 0", /Division by zero/],
  ["5 % (2 - 2)", /Division by zero/],
  ["200 + 10%", /is ambiguous/],
  ["200 - 10% + 5", /is ambiguous/],
  ["9 ^ 9 ^ 9", /too large/],
  ["(0 - 8) ^ 0.5", /not a real number/],
  ["sqrt(0 - 1)", /square root/],
  ["sqrt 2", /parentheses/],
  ["12,34", /not arithmetic/],
  ["1,2345", /not arithmetic/],
  ["two + 2", /"two \+ 2" is not arithmetic/],
  ["process.exit(1)", /not arithmetic/],
  ["constructor", /not arithmetic/],
])("rejects %s", (expression, message) => {
  expect(() => evaluateExpression(expression)).toThrow(message);
  expect(() => evaluateExpression(expression)).toThrow(
    expect.objectContaining({ code: "invalid_arguments" }),
  );
});

test("rejects an expression that is too long or nested too deeply", () => {
  expect(() => evaluateExpression("1".repeat(1_001))).toThrow(/The limit is 1000/);
  expect(() => evaluateExpression("(".repeat(200))).toThrow(/nested/);
  expect(() => evaluateExpression(`${"-".repeat(500)}1`)).toThrow(/nested/);
});

type Tree =
  | { readonly value: number }
  | { readonly operator: string; readonly left: Tree; readonly right: Tree }
  | { readonly negated: Tree };

const tree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5 },
    fc.record({
      value: fc.oneof(
        fc.integer({ min: 0, max: 99_999 }),
        fc.integer({ min: 0, max: 9_999 }).map((value) => value / 100),
      ),
    }),
    fc.record({
      operator: fc.constantFrom("+", "-", "*", "/", "%", "^"),
      left: tie("tree"),
      right: tie("tree"),
    }),
    fc.record({ negated: tie("tree") }),
  ),
})).tree;

const strength: Readonly<Record<string, number>> = {
  "+": 1,
  "-": 1,
  "*": 2,
  "/": 2,
  "%": 2,
  "^": 4,
};

/** Adds only the parentheses that operator precedence requires. */
function write(node: Tree, needed = 0): string {
  if ("value" in node)
    return node.value >= 1_000
      ? node.value.toLocaleString("en-US", { maximumFractionDigits: 2 })
      : String(node.value);
  if ("negated" in node) return within(`-${write(node.negated, 3)}`, 3, needed);
  const own = strength[node.operator] ?? 0;
  const isRight = node.operator === "^";
  return within(
    `${write(node.left, isRight ? own + 1 : own)} ${node.operator} ${write(node.right, isRight ? own : own + 1.5)}`,
    own,
    needed,
  );
}

function within(text: string, own: number, needed: number): string {
  return own < needed ? `(${text})` : text;
}

function reference(node: Tree): number {
  if ("value" in node) return node.value;
  if ("negated" in node) return -reference(node.negated);
  const left = reference(node.left);
  const right = reference(node.right);
  switch (node.operator) {
    case "+":
      return left + right;
    case "-":
      return left - right;
    case "*":
      return left * right;
    case "/":
      return right === 0 ? Number.NaN : left / right;
    case "%":
      return right === 0 ? Number.NaN : left % right;
    default:
      return left ** right;
  }
}

test("agrees with a reference implementation on generated expressions", { timeout: 20_000 }, () => {
  fc.assert(
    fc.property(tree, (node) => {
      const text = write(node);
      fc.pre(text.length <= 1_000);
      const expected = reference(node);
      if (!Number.isFinite(expected) || hasBadStep(node)) {
        expect(() => evaluateExpression(text)).toThrow(BronError);
        return;
      }
      const found = evaluateExpression(text);
      expect(Math.abs(found - expected)).toBeLessThanOrEqual(Math.abs(expected) * 1e-14);
    }),
    { numRuns: sampleCount(1_000) },
  );
});

/**
 * A division by zero or an overflow somewhere inside, even where the whole would be finite again.
 */
function hasBadStep(node: Tree): boolean {
  if ("value" in node) return false;
  if ("negated" in node) return hasBadStep(node.negated);
  const isZeroDivision =
    (node.operator === "/" || node.operator === "%") && reference(node.right) === 0;
  return isZeroDivision || hasBadStep(node.left) || hasBadStep(node.right);
}

test("throws only coded errors for any input", { timeout: 20_000 }, () => {
  const soup = fc.string({
    unit: fc.constantFrom(..."0123456789.,+-*/%^() eofsqrt".split("")),
    maxLength: 60,
  });
  fc.assert(
    fc.property(fc.oneof(soup, fc.string()), (text) => {
      try {
        expect(Number.isFinite(evaluateExpression(text))).toBe(true);
      } catch (error) {
        expect(BronError.is(error, "invalid_arguments")).toBe(true);
      }
    }),
    { numRuns: sampleCount(2_000) },
  );
});
