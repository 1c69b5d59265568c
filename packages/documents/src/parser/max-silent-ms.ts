/**
 * How long the parser may go without progress. The time until the first progress includes its own
 * start.
 */
export function maxSilentMs(
  { startMs, stallMs }: { readonly startMs: number; readonly stallMs: number },
  hasProgressed: boolean,
): number {
  return hasProgressed ? stallMs : Math.max(startMs, stallMs);
}
