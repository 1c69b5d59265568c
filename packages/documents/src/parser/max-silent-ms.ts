/**
 * How long the parser may go without reporting progress. The first report may take longer, because
 * the process has to start.
 */
export function maxSilentMs(
  { startMs, stallMs }: { readonly startMs: number; readonly stallMs: number },
  hasProgressed: boolean,
): number {
  return hasProgressed ? stallMs : Math.max(startMs, stallMs);
}
