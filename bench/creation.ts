import type { Environment } from "./support/environment.ts";
import { median, quantile, type BenchmarkResult } from "./support/figures.ts";

/** `runs.create` to its answer and to the first model call. Through HTTP a request is added to both. */
export async function creation(environment: Environment): Promise<BenchmarkResult> {
  const { bron, close } = await environment.startPair();
  try {
    await bron.calls.creations(20);
    const { answeredMs, firstCallMs } = await bron.calls.creations(environment.quick ? 30 : 300);
    return {
      figures: [
        { name: "creating a run p50", value: median(answeredMs), unit: "ms", bar: { atMost: 20 } },
        { name: "creating a run p95", value: quantile(answeredMs, 0.95), unit: "ms" },
        { name: "creation to first model call p50", value: median(firstCallMs), unit: "ms", bar: { atMost: 50 } },
        { name: "creation to first model call p95", value: quantile(firstCallMs, 0.95), unit: "ms" },
      ],
    };
  } finally {
    await close();
  }
}
