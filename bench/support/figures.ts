/**
 * One measured number. The command fails if a bar does not hold. An aim is only shown, because it
 * does not hold yet.
 */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: "ms" | "x" | "bytes" | "MB" | "statements" | "runs/s" | "/s" | "kB";
  readonly bar?: Bar;
  readonly aim?: Bar;
}

export type Bar = { readonly atMost: number } | { readonly atLeast: number };

export interface BenchmarkResult {
  readonly figures: readonly Figure[];
  /** Further details for a reader, for example statements by name. */
  readonly notes?: readonly string[];
}

/** A number that could not be measured never holds. */
export function holds(value: number, bar: Bar): boolean {
  return "atMost" in bar ? value <= bar.atMost : value >= bar.atLeast;
}

/** The figures of all benchmarks whose bar does not hold. */
export function brokenBars(results: Readonly<Record<string, BenchmarkResult>>): Figure[] {
  return Object.values(results).flatMap(({ figures }) =>
    figures.filter(({ value, bar }) => bar !== undefined && !holds(value, bar)),
  );
}

/** Works for any number of samples, while `Math.max(...samples)` fails above some 120,000. */
export function largest(samples: Iterable<number>): number {
  let found = Number.NEGATIVE_INFINITY;
  for (const sample of samples) found = Math.max(found, sample);
  return found;
}

/** `fraction` is 0.5 for the median, 0.99 for p99 and 1 for the largest. */
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
