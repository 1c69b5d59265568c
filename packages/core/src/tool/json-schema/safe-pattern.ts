/**
 * Patterns of JSON Schemas come from strangers, and JavaScript's engine backtracks. This module
 * matches a pattern only if it can bound the work.
 */

const maxPatternCharacters = 500;
/** Tries of the engine in one match. */
const maxTries = 1_000_000;

export interface SafePattern {
  /** An upper bound for the tries on a text of this length. */
  triesFor(length: number): number;
  test(text: string): boolean;
}

/**
 * Returns undefined for a pattern whose work cannot be bounded: one with a repeated group, a look
 * around or a reference, or one that is not valid.
 */
export function safePattern(pattern: string): SafePattern | undefined {
  if (pattern.length > maxPatternCharacters) return undefined;
  const choices = choicesIn(pattern);
  if (!choices) return undefined;
  let compiled: RegExp;
  try {
    compiled = new RegExp(pattern, "u");
  } catch {
    return undefined;
  }
  return {
    triesFor: (length) => {
      const starts = pattern.startsWith("^") ? 1 : length + 1;
      return Math.min(
        starts * (length + 1) ** choices.unbounded * choices.others,
        Number.MAX_SAFE_INTEGER,
      );
    },
    test: (text) => compiled.test(text),
  };
}

/** Whether a match on a text of this length is short enough. */
export function isQuick(pattern: SafePattern, length: number): boolean {
  return pattern.triesFor(length) <= maxTries;
}

interface Choices {
  /** Repetitions without a limit. Each has as many choices as the text has characters. */
  unbounded: number;
  /** The product of the choices of all other repetitions and alternatives. */
  others: number;
}

/** Counts the places at which the engine has a choice. */
function choicesIn(pattern: string): Choices | undefined {
  const choices: Choices = { unbounded: 0, others: 1 };
  let afterGroup = false;
  for (let at = 0; at < pattern.length;) {
    const token = tokenAt(pattern, at);
    if (token === undefined) return undefined;
    at += token.length;
    if (token.startsWith("(")) afterGroup = false;
    else if (token === "|") choices.others *= 2;
    else if (isQuantifier(token)) {
      if (afterGroup && !token.startsWith("?")) return undefined;
      addQuantifier(choices, token);
    }
    afterGroup = token === ")";
  }
  return choices;
}

const quantifier = /^(?:[*+?]|\{\d{1,6}(?:,\d{0,6})?\})\??$/;

function isQuantifier(token: string): boolean {
  return quantifier.test(token);
}

function addQuantifier(choices: Choices, token: string): void {
  const [, least, comma, most] = /^\{(\d+)(,?)(\d*)/.exec(token) ?? [];
  if (least === undefined) {
    if (token.startsWith("?")) choices.others *= 2;
    else choices.unbounded++;
  } else if (comma === ",") {
    if (most === "") choices.unbounded++;
    else choices.others *= Math.max(1, Number(most) - Number(least) + 1);
  }
}

/** The token that starts here. Undefined for what this module does not allow. */
function tokenAt(pattern: string, at: number): string | undefined {
  const rest = pattern.slice(at, at + maxPatternCharacters);
  if (rest.startsWith("\\")) return escapeAt(rest);
  if (rest.startsWith("[")) return classAt(rest);
  if (rest.startsWith("(?")) return /^\(\?(?::|<[a-zA-Z]\w*>)/.exec(rest)?.[0];
  return /^(?:[*+?]|\{\d{1,6}(?:,\d{0,6})?\})\??/.exec(rest)?.[0] ?? rest[0];
}

function escapeAt(rest: string): string | undefined {
  if (/^\\[1-9k]/.test(rest)) return undefined;
  return (
    /^\\(?:u\{[0-9a-fA-F]{1,6}\}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|[pP]\{[^}]{1,80}\}|.)/.exec(
      rest,
    )?.[0] ?? undefined
  );
}

function classAt(rest: string): string | undefined {
  for (let end = 1; end < rest.length; end++) {
    if (rest[end] === "\\") end++;
    else if (rest[end] === "]") return rest.slice(0, end + 1);
  }
  return undefined;
}
