/** One measured number, with the bar of design section 10 where there is one. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "x" | "bytes" | "MB" | "statements" | "runs/s" | "/s" | "kB";
  readonly bar?: { readonly atMost: number } | { readonly atLeast: number };
}

export interface BenchmarkResult {
  readonly figures: readonly Figure[];
  /** What else a reader may want to see, e.g. statements by name. */
  readonly notes?: readonly string[];
}

export function holds({ value, bar }: Figure): boolean | undefined {
  if (!bar) return undefined;
  return "atMost" in bar ? value <= bar.atMost : value >= bar.atLeast;
}

/** `fraction` 0.5 for the median, 0.99 for p99, 1 for the largest. */
export function quantile(samples: ArrayLike<number>, fraction: number): number {
  const sorted = Float64Array.from(samples).toSorted();
  return sorted[Math.max(0, Math.ceil(sorted.length * fraction) - 1)] ?? Number.NaN;
}

export function median(samples: ArrayLike<number>): number {
  return quantile(samples, 0.5);
}

export function sum(samples: Iterable<number>): number {
  let total = 0;
  for (const sample of samples) total += sample;
  return total;
}
