import { omitUndefined } from "@bron/protocol";
import { tokenizeQuery, type QueryToken } from "./tokenize-query.ts";

export type Query =
  | { readonly kind: "and" | "or"; readonly parts: readonly Query[] }
  | { readonly kind: "not"; readonly part: Query }
  /** `operator` is absent for words that may be anywhere in the message. */
  | { readonly kind: "term"; readonly operator?: string; readonly value: string }
  | {
      readonly kind: "near";
      readonly left: string;
      readonly right: string;
      readonly distance: number;
    };

const maxDepth = 100;

/**
 * Gmail's grammar: OR binds tighter than the implicit AND, and braces are an OR of their items.
 * Never throws.
 */
export function parseQuery(text: string): Query {
  const tokens = tokenizeQuery(text);
  const cursor: Cursor = { tokens, at: 0, depth: 0 };
  const parts: Query[] = [];
  while (cursor.at < tokens.length) {
    parts.push(...parseAll(cursor, undefined));
    // Skips an unmatched closing bracket.
    cursor.at += 1;
  }
  return combine("and", parts);
}

interface Cursor {
  readonly tokens: readonly QueryToken[];
  at: number;
  depth: number;
}

const peek = (cursor: Cursor) => cursor.tokens[cursor.at];

function combine(kind: "and" | "or", parts: readonly Query[]): Query {
  return parts.length === 1 && parts[0] ? parts[0] : { kind, parts };
}

function parseAll(cursor: Cursor, operator: string | undefined): Query[] {
  const parts: Query[] = [];
  for (
    let token = peek(cursor);
    token && token.type !== "close" && token.type !== "close-any";
    token = peek(cursor)
  ) {
    if (token.type === "and" || token.type === "or") cursor.at += 1;
    else parts.push(...parseAlternatives(cursor, operator));
  }
  return parts;
}

/** One item, or several joined by OR. Empty for a lone operator. */
function parseAlternatives(cursor: Cursor, operator: string | undefined): Query[] {
  const parts = parseItem(cursor, operator);
  while (peek(cursor)?.type === "or") {
    cursor.at += 1;
    parts.push(...parseItem(cursor, operator));
  }
  return parts.length === 0 ? [] : [combine("or", parts)];
}

function parseItem(cursor: Cursor, operator: string | undefined): Query[] {
  const token = peek(cursor);
  if (
    !token ||
    token.type === "close" ||
    token.type === "close-any" ||
    token.type === "or" ||
    token.type === "and"
  )
    return [];
  cursor.at += 1;
  switch (token.type) {
    case "not":
      return parseItem(cursor, operator).map((part) => ({ kind: "not", part }));
    case "operator":
      return parseOperand(cursor, token.name);
    case "open":
    case "open-any":
      return parseGroup(cursor, token.type, operator);
    default:
      return [parseWord(cursor, token.text, operator)];
  }
}

/** `subject:(a b)` requires each word of the group in the subject. */
function parseOperand(cursor: Cursor, name: string): Query[] {
  const token = peek(cursor);
  if (token?.type === "word") {
    cursor.at += 1;
    return [{ kind: "term", operator: name, value: token.text }];
  }
  if (token?.type !== "open" && token?.type !== "open-any") return [{ kind: "term", value: name }];
  cursor.at += 1;
  return parseGroup(cursor, token.type, name);
}

function parseGroup(
  cursor: Cursor,
  type: "open" | "open-any",
  operator: string | undefined,
): Query[] {
  if (cursor.depth >= maxDepth) return [];
  cursor.depth += 1;
  const parts = parseAll(cursor, operator);
  cursor.depth -= 1;
  cursor.at += 1;
  return parts.length === 0 ? [] : [combine(type === "open" ? "and" : "or", parts)];
}

function parseWord(cursor: Cursor, text: string, operator: string | undefined): Query {
  const [around, distance, right] = cursor.tokens.slice(cursor.at, cursor.at + 3);
  const isNear =
    around?.type === "word" &&
    around.text === "AROUND" &&
    distance?.type === "word" &&
    /^\d+$/.test(distance.text);
  if (operator === undefined && isNear && right?.type === "word") {
    cursor.at += 3;
    return { kind: "near", left: text, right: right.text, distance: Number(distance.text) };
  }
  return { kind: "term", value: text, ...omitUndefined({ operator }) };
}
