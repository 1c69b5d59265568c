import { BronError } from "@bron/core";

const maxLength = 1_000;
const maxDepth = 100;

const tokenPattern =
  /\s*(?:(?<number>(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d+)?(?:e[+-]?\d+)?|\.\d+(?:e[+-]?\d+)?)|(?<word>sqrt|of)\b|(?<symbol>\*\*|[-+*/%^()]))/iy;

type Token =
  | { readonly kind: "number"; readonly value: number }
  | { readonly kind: "symbol"; readonly text: string };

/** `barePercent`: a percentage without "of", such as the 10% in "200 + 10%". */
interface Operand {
  readonly value: number;
  readonly barePercent?: boolean;
}

/**
 * Evaluates arithmetic by recursive descent: + - * / ^ (right-associative), % as remainder between
 * operands and as percent otherwise, "17% of 2340", sqrt(), parentheses and thousands separators.
 * Throws invalid_arguments with a message that a model can act on.
 */
export function evaluateExpression(expression: string): number {
  if (expression.length > maxLength)
    throw wrong(`The expression has ${expression.length} characters. The limit is ${maxLength}.`);
  const tokens = createTokenReader(tokenize(expression));
  const value = evaluateSum(tokens);
  const rest = tokens.peek();
  if (rest)
    throw wrong(
      `Expected an operator, found "${rest.kind === "number" ? rest.value : rest.text}".`,
    );
  return roundResult(value);
}

/** Reads as many tokens as belong to one sum. Each function below is a rule of the grammar. */
function evaluateSum({ peek, next, take, isNext }: TokenReader): number {
  let depth = 0;

  const sum = (): Operand => {
    let left = product();
    for (let operator = take("+", "-"); operator; operator = take("+", "-")) {
      const right = product();
      if (right.barePercent === true)
        throw wrong(
          "A percentage after + or - is ambiguous. Write what it is a percentage of, such as 200 + 10% of 200.",
        );
      left = { value: operator === "+" ? left.value + right.value : left.value - right.value };
    }
    return left;
  };

  const product = (): Operand => {
    let left = unary();
    for (let operator = take("*", "/", "%"); operator; operator = take("*", "/", "%")) {
      const right = unary().value;
      if (operator !== "*" && right === 0) throw wrong("Division by zero.");
      left = {
        value:
          operator === "*"
            ? left.value * right
            : operator === "/"
              ? left.value / right
              : left.value % right,
      };
    }
    return left;
  };

  const unary = (): Operand => {
    if (++depth > maxDepth) throw wrong(`The expression is nested more than ${maxDepth} deep.`);
    const sign = take("-", "+");
    const operand = sign ? unary() : power();
    depth--;
    return sign === "-" ? { ...operand, value: -operand.value } : operand;
  };

  const power = (): Operand => {
    const base = percent();
    if (!take("^", "**")) return base;
    return { value: base.value ** unary().value };
  };

  const percent = (): Operand => {
    const value = primary();
    if (!isNext("%") || startsOperand(peek(1))) return { value };
    next();
    return take("of")
      ? { value: (value * unary().value) / 100 }
      : { value: value / 100, barePercent: true };
  };

  const primary = (): number => {
    const token = next();
    if (token?.kind === "number") return token.value;
    if (token?.text === "(") return closed(sum().value);
    if (token?.text === "sqrt") return squareRoot();
    throw wrong(
      token
        ? `Expected a number, found "${token.text}".`
        : "Expected a number, found the end of the expression.",
    );
  };

  const squareRoot = (): number => {
    if (!take("(")) throw wrong("sqrt needs parentheses: sqrt(2).");
    const value = closed(sum().value);
    if (value < 0) throw wrong("The square root of a negative number is not a real number.");
    return Math.sqrt(value);
  };

  const closed = (value: number): number => {
    if (!take(")")) throw wrong("A parenthesis is not closed.");
    return value;
  };

  return sum().value;
}

function createTokenReader(tokens: readonly Token[]) {
  let position = 0;
  const peek = (ahead = 0) => tokens[position + ahead];
  const isNext = (...texts: string[]) => {
    const token = peek();
    return token?.kind === "symbol" && texts.includes(token.text);
  };
  return {
    peek,
    isNext,
    next: () => tokens[position++],
    take(...texts: string[]): string | undefined {
      const token = peek();
      if (token?.kind !== "symbol" || !texts.includes(token.text)) return undefined;
      position++;
      return token.text;
    },
  };
}

type TokenReader = ReturnType<typeof createTokenReader>;

function startsOperand(token: Token | undefined): boolean {
  return (
    token?.kind === "number" ||
    (token?.kind === "symbol" && (token.text === "(" || token.text === "sqrt"))
  );
}

function tokenize(expression: string): Token[] {
  const text = expression.replace(/[×·]/g, "*").replace(/÷/g, "/").replace(/[−–]/g, "-").trimEnd();
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    tokenPattern.lastIndex = at;
    const groups = tokenPattern.exec(text)?.groups;
    if (!groups)
      throw wrong(
        `"${text.slice(at).trim().slice(0, 20)}" is not arithmetic. Supported: + - * / % ^ ( ) sqrt() and "17% of 2340".`,
      );
    at = tokenPattern.lastIndex;
    if (groups["number"] !== undefined)
      tokens.push({ kind: "number", value: Number(groups["number"].replaceAll(",", "")) });
    else
      tokens.push({
        kind: "symbol",
        text: (groups["word"] ?? groups["symbol"] ?? "").toLowerCase(),
      });
  }
  return tokens;
}

/** Rounds away binary fraction errors, so that 0.1 + 0.2 is 0.3. */
function roundResult(value: number): number {
  if (Number.isNaN(value)) throw wrong("The result is not a real number.");
  if (!Number.isFinite(value)) throw wrong("The result is too large.");
  return Number.isSafeInteger(value) ? value + 0 : Number(value.toPrecision(15));
}

function wrong(message: string): BronError {
  return new BronError("invalid_arguments", message);
}
