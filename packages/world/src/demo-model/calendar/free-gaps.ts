/** Minutes since midnight; the end does not belong to it. */
export interface MinuteSpan {
  readonly start: number;
  readonly end: number;
}

/** What is left of a window between things that take time, in order, each at least as long as said. */
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
