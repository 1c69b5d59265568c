/**
 * Boundaries at which a text can be cut without splitting a surrogate pair, a letter from its
 * accents, an emoji from its modifiers or a line break. Offsets count UTF-16 code units.
 */

/** A longer sequence is split, so that hostile text costs a bounded number of steps. */
const maxSteps = 256;
const joiner = 0x200d;
const extending = /^[\p{M}\p{EMod}\u200d]/u;

/** The last boundary at or before the offset. */
export function boundaryBefore(text: string, offset: number): number {
  return nearest(text, offset, -1);
}

/** The first boundary at or after the offset. */
export function boundaryAfter(text: string, offset: number): number {
  return nearest(text, offset, 1);
}

function nearest(text: string, offset: number, step: 1 | -1): number {
  let at = Math.min(Math.max(0, offset), text.length);
  for (let steps = 0; steps < maxSteps; steps++, at += step) if (isBoundary(text, at)) return at;
  return splitsPair(text, offset) ? offset + step : offset;
}

function isBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (splitsPair(text, at)) return false;
  if (text[at] === "\n" && text[at - 1] === "\r") return false;
  if (text.charCodeAt(at - 1) === joiner) return false;
  if (isRegional(text.codePointAt(at))) return countRegionalBefore(text, at) % 2 === 0;
  return !extending.test(text.slice(at, at + 2));
}

function splitsPair(text: string, at: number): boolean {
  return (
    isBetween(text.charCodeAt(at - 1), 0xd800, 0xdbff) &&
    isBetween(text.charCodeAt(at), 0xdc00, 0xdfff)
  );
}

/** Two regional indicators make a flag. */
function countRegionalBefore(text: string, at: number): number {
  let count = 0;
  while (count < maxSteps && isRegional(text.codePointAt(at - 2 * (count + 1)))) count++;
  return count;
}

function isRegional(codePoint: number | undefined): boolean {
  return codePoint !== undefined && isBetween(codePoint, 0x1f1e6, 0x1f1ff);
}

function isBetween(value: number, low: number, high: number): boolean {
  return value >= low && value <= high;
}
