import type { Environment } from "./support/environment.ts";
import { median, quantile, type BenchmarkResult } from "./support/figures.ts";

const batch = 10;

/**
 * Measures from `approve()` to the call of the effect, against one update, one select and the call.
 */
export async function approval(environment: Environment): Promise<BenchmarkResult> {
  const { bron, bare, close } = await environment.startPair();
  const samples: Record<"bron" | "bare", number[]> = { bron: [], bare: [] };
  const ratios: number[] = [];
  try {
    for (const { calls } of [bron, bare]) await calls.approvals(batch);
    for (let repeat = 0; repeat < (environment.quick ? 2 : 20); repeat++) {
      const bronMs = await bron.calls.approvals(batch);
      const bareMs = await bare.calls.approvals(batch);
      samples.bron.push(...bronMs);
      samples.bare.push(...bareMs);
      ratios.push(median(bronMs) / median(bareMs));
    }
  } finally {
    await close();
  }
  return {
    figures: [
      { name: "approval to effect p50, Bron", value: median(samples.bron), unit: "ms" },
      { name: "approval to effect p95, Bron", value: quantile(samples.bron, 0.95), unit: "ms" },
      { name: "approval to effect p50, bare", value: median(samples.bare), unit: "ms" },
      { name: "approval to effect p95, bare", value: quantile(samples.bare, 0.95), unit: "ms" },
      {
        name: "approval to effect, against the bare form",
        value: median(ratios),
        unit: "x",
        aim: { atMost: 3 },
      },
    ],
  };
}
