/** How long the parser may go without progress. Until the first progress its own start counts, too. */
export function mostSilentMs(
  { startMs, stallMs }: { readonly startMs: number; readonly stallMs: number },
  hasProgressed: boolean,
): number {
  return hasProgressed ? stallMs : Math.max(startMs, stallMs);
}
