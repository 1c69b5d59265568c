import type { Environment } from "./support/environment.ts";
import { median, sum, type BenchmarkResult } from "./support/figures.ts";
import { startRemote } from "./support/remote-calls.ts";
import type { ReaderCalls } from "./support/reader-process.ts";
import type { ServerCalls } from "./support/server-process.ts";
import { signIn } from "./support/sign-in.ts";
import type { SubjectOrders } from "./support/subject.ts";
import type { WriterCalls } from "./support/writer-process.ts";

/**
 * Measures from the commit in a worker to each of a thousand HTTP streams of a server in another
 * process: NOTIFY, read, hub, socket, client.
 */
export async function streams(environment: Environment): Promise<BenchmarkResult> {
  const streamCount = environment.quick ? 200 : 1_000;
  const rounds: Latencies[] = [];
  for (let round = 0; round < (environment.quick ? 1 : 3); round++)
    rounds.push(await subscribeToOneRun(environment, streamCount));
  const name = `commit to client with ${streamCount} streams`;
  return {
    figures: [
      { name: `${name} p50`, value: median(rounds.map(({ p50 }) => p50)), unit: "ms" },
      {
        name: `${name} p99`,
        value: median(rounds.map(({ p99 }) => p99)),
        unit: "ms",
        aim: { atMost: 50 },
      },
      { name: `${name} max`, value: median(rounds.map(({ max }) => max)), unit: "ms" },
    ],
    notes: [
      `${sum(rounds.map(({ samples }) => samples))} arrivals, ${sum(rounds.map(({ missing }) => missing))} missing; p99 of each round: ${rounds.map(({ p99 }) => p99.toFixed(1)).join(", ")} ms. From the return of the append in the worker to the bytes in the client; worker, server and clients are three processes on the same cores.`,
    ],
  };
}

type Latencies = Awaited<ReturnType<ReaderCalls["latencies"]>>;

async function subscribeToOneRun(
  { createDatabase, modelUrl }: Environment,
  streamCount: number,
): Promise<Latencies> {
  const orders: SubjectOrders = { kind: "bron", databaseUrl: await createDatabase(), modelUrl };
  const writer = await startRemote<WriterCalls>("writer-process.ts", orders);
  const server = await startRemote<ServerCalls>("server-process.ts", { ...orders, work: "none" });
  const reader = await startRemote<ReaderCalls>("reader-process.ts", orders);
  try {
    const { url, signInLink } = await server.calls.address();
    const runId = await writer.calls.create({ steps: 60, delayMs: 150 });
    await reader.calls.subscribe({ url, cookie: await signIn(signInLink), runId, streamCount });
    return await reader.calls.latencies(await writer.calls.commits(runId));
  } finally {
    await writer.close();
    await reader.close();
    await server.close();
  }
}
