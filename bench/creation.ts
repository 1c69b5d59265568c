import type { Environment } from "./support/environment.ts";
import { median, quantile, type BenchmarkResult } from "./support/figures.ts";
import { startRemote } from "./support/remote-calls.ts";
import type { ServerCalls } from "./support/server-process.ts";
import { signIn } from "./support/sign-in.ts";
import { speedBars } from "./support/speed-bars.ts";
import { promptOf } from "./support/task.ts";

/** Measures `POST /api/runs` up to its response and up to the first model call. */
export async function creation({
  createDatabase,
  modelUrl,
  quick,
}: Environment): Promise<BenchmarkResult> {
  const server = await startRemote<ServerCalls>("server-process.ts", {
    kind: "bron",
    databaseUrl: await createDatabase(),
    modelUrl,
    work: "sweep",
  });
  try {
    const { url, signInLink } = await server.calls.address();
    const cookie = await signIn(signInLink);
    const responseMs: number[] = [];
    const firstCallMs: number[] = [];
    for (let sample = 0; sample < (quick ? 30 : 300) + 20; sample++) {
      const before = await server.calls.lastModelCall();
      const startedAt = performance.timeOrigin + performance.now();
      const response = await fetch(`${url}/api/runs`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
        body: JSON.stringify({ prompt: promptOf({ steps: 1 }) }),
      });
      await response.arrayBuffer();
      const respondedAt = performance.timeOrigin + performance.now();
      if (response.status !== 201) throw new Error(`POST returned ${response.status}`);
      let firstCallAt = before;
      while (firstCallAt === before) firstCallAt = await server.calls.lastModelCall();
      // The first samples are warm-up.
      if (sample < 20) continue;
      responseMs.push(respondedAt - startedAt);
      firstCallMs.push(firstCallAt - startedAt);
    }
    return {
      figures: [
        {
          name: "creating a run over HTTP p50",
          value: median(responseMs),
          unit: "ms",
          bar: { atMost: 20 },
        },
        {
          name: "BR24 creating a run over HTTP p95",
          value: quantile(responseMs, 0.95),
          unit: "ms",
          bar: speedBars.createRun,
        },
        {
          name: "POST to first model call p50",
          value: median(firstCallMs),
          unit: "ms",
          bar: { atMost: 50 },
        },
        { name: "POST to first model call p95", value: quantile(firstCallMs, 0.95), unit: "ms" },
      ],
    };
  } finally {
    await server.close();
  }
}
