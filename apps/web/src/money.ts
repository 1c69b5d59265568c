/** Small sums keep the digits that say something. */
export function dollarsInWords(microusd: number): string {
  const dollars = microusd / 1_000_000;
  const digits = dollars === 0 || dollars >= 0.1 ? 2 : 4;
  return dollars.toLocaleString(undefined, {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}
