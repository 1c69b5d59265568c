import type { Environment } from "./support/environment.ts";
import { median, type BenchmarkResult } from "./support/figures.ts";

const count = 50;
const steps = 10;

/** Runs many runs at once in one worker. */
export async function many(environment: Environment): Promise<BenchmarkResult> {
  const { bron, bare, close } = await environment.startPair();
  const rates: Record<"bron" | "bare", number[]> = { bron: [], bare: [] };
  try {
    for (const { calls } of [bron, bare]) await calls.runs({ steps, count });
    for (let repeat = 0; repeat < (environment.quick ? 3 : 9); repeat++) {
      for (const [kind, { calls }] of [["bron", bron] as const, ["bare", bare] as const])
        rates[kind].push((count * 1_000) / (await calls.runs({ steps, count })).wallMs);
    }
  } finally {
    await close();
  }
  return {
    figures: [
      {
        name: `${count} runs of ${steps} steps at once, Bron`,
        value: median(rates.bron),
        unit: "runs/s",
      },
      {
        name: `${count} runs of ${steps} steps at once, bare`,
        value: median(rates.bare),
        unit: "runs/s",
      },
      {
        name: `${count} runs at once, against the bare loop`,
        value: median(rates.bron.map((rate, index) => rate / (rates.bare[index] ?? rate))),
        unit: "x",
        aim: { atLeast: 0.6 },
      },
    ],
  };
}
