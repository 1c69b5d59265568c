/** Minutes since midnight. The end is exclusive. */
export interface MinuteSpan {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the gaps between busy spans within a window, in order, each at least
 * `leastMinutes` long.
 */
export function freeGaps(
  busy: readonly MinuteSpan[],
  window: MinuteSpan,
  leastMinutes = 1,
): readonly MinuteSpan[] {
  const gaps: MinuteSpan[] = [];
  let from = window.start;
  for (const { start, end } of busy.toSorted((a, b) => a.start - b.start)) {
    gaps.push({ start: from, end: Math.min(start, window.end) });
    from = Math.max(from, end);
  }
  gaps.push({ start: from, end: window.end });
  return gaps.filter(({ start, end }) => end - start >= Math.max(1, leastMinutes));
}

export function overlaps(a: MinuteSpan, b: MinuteSpan): boolean {
  return a.start < b.end && b.start < a.end;
}
