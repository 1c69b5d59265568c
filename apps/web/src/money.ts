/** Amounts below ten cents keep four decimals, because two would hide them. */
export function formatDollars(microusd: number): string {
  const dollars = microusd / 1_000_000;
  const digits = dollars === 0 || dollars >= 0.1 ? 2 : 4;
  return dollars.toLocaleString(undefined, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
