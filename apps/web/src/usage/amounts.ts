export function formatCount(value: number): string {
  return new Intl.NumberFormat(
    undefined,
    value < 10_000 ? {} : { notation: "compact", maximumFractionDigits: 1 },
  ).format(value);
}

export function formatPercent(value: number): string {
  return new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 }).format(
    value,
  );
}

/** Noon keeps the date the same in every time zone. */
export function dayName(day: string): string {
  return new Date(`${day}T12:00:00`).toLocaleDateString(undefined, {
    month: "short",
    day: "numeric",
  });
}

/** The round number at or above `max`, so that the axis has even steps. */
export function niceTop(max: number): number {
  if (max <= 4) return Math.max(1, max);
  const size = 10 ** Math.floor(Math.log10(max));
  return (([1, 2, 5, 10] as const).find((step) => step * size >= max) ?? 10) * size;
}
