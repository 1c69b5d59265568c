/** Exponential backoff with jitter above a floor. A longer delay requested by the provider wins. */
export function backoffMs(failedAttempts: number, random: number, requestedMs = 0): number {
  const ceiling = Math.min(10_000, 500 * 2 ** failedAttempts);
  return Math.max(requestedMs, Math.round(ceiling / 2 + (random * ceiling) / 2));
}
