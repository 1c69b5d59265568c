const word = /[\p{L}\p{N}\p{M}]/u;
const wordEnd = /[\p{L}\p{N}\p{M}]$/u;
const wordStart = /^[\p{L}\p{N}\p{M}]/u;

/**
 * Whether a text contains a value on its own. "5" is not in "15", "1.5" or "-5", and eva@a.example
 * is not in not-eva@a.example.
 */
export function containsStandalone(text: string, value: string): boolean {
  for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + 1)) {
    // A letter takes up to two code units. Four leave room for the characters that decide.
    const before = text.slice(Math.max(0, at - 4), at);
    const after = text.slice(at + value.length, at + value.length + 4);
    if (!continuesBefore(before, value) && !continuesAfter(after, value)) return true;
  }
  return false;
}

function continuesBefore(before: string, value: string): boolean {
  const first = String.fromCodePoint(value.codePointAt(0) ?? 0);
  if (word.test(first) && wordEnd.test(before)) return true;
  if (value.includes("@") && /[._+-]$/.test(before)) return true;
  if (!/^\d/.test(value)) return false;
  const isSigned = /(?:^|[^\p{L}\p{N}])[-\u2212]$/u.test(before);
  return isSigned || /\d[.,'\u2019]$/.test(before);
}

function continuesAfter(after: string, value: string): boolean {
  if (/[\p{L}\p{N}\p{M}]$/u.test(value) && wordStart.test(after)) return true;
  if (value.includes("@") && /^[_+-]|^\.[\p{L}\p{N}]/u.test(after)) return true;
  return /\d$/.test(value) && /^[.,'\u2019]\d/.test(after);
}
