export function count(value: number): string {
  return new Intl.NumberFormat(
    undefined,
    value < 10_000 ? {} : { notation: "compact", maximumFractionDigits: 1 },
  ).format(value);
}

export function share(value: number): string {
  return new Intl.NumberFormat(undefined, { style: "percent", maximumFractionDigits: 0 }).format(
    value,
  );
}

/** A day without a time belongs to no zone. */
export function dayName(day: string): string {
  return new Date(`${day}T12:00:00`).toLocaleDateString(undefined, {
    month: "short",
    day: "numeric",
  });
}

/** The round number at or above the largest value, so that the axis has whole steps. */
export function niceTop(most: number): number {
  if (most <= 4) return Math.max(1, most);
  const size = 10 ** Math.floor(Math.log10(most));
  return (([1, 2, 5, 10] as const).find((step) => step * size >= most) ?? 10) * size;
}
