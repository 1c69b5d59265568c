/** Exponential with full jitter above a floor; a provider's own wish wins if it is longer. */
export function backoffMs(failedAttempts: number, random: number, askedMs = 0): number {
  const ceiling = Math.min(10_000, 500 * 2 ** failedAttempts);
  return Math.max(askedMs, Math.round(ceiling / 2 + (random * ceiling) / 2));
}
