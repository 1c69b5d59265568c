import type { BareHttpCalls } from "./support/bare-http-process.ts";
import type { Environment } from "./support/environment.ts";
import type { BenchmarkResult, Figure } from "./support/figures.ts";
import type { LoadCalls, LoadOrder } from "./support/load-process.ts";
import { startRemote } from "./support/remote-calls.ts";
import type { ServerCalls } from "./support/server-process.ts";
import { signIn } from "./support/sign-in.ts";
import type { SubjectOrders } from "./support/subject.ts";
import { promptOf } from "./support/task.ts";
import type { WriterCalls } from "./support/writer-process.ts";

const gc = ["--expose-gc"];

/**
 * Compares the HTTP API with Node's own server, which returns the same bytes from memory: create,
 * read, events to a thousand streams, memory of each.
 */
export async function http(environment: Environment): Promise<BenchmarkResult> {
  const { createDatabase, modelUrl, quick } = environment;
  const count = quick ? 200 : 1_000;
  const seconds = quick ? 2 : 6;
  const orders: SubjectOrders = { kind: "bron", databaseUrl: await createDatabase(), modelUrl };
  const server = await startRemote<ServerCalls>(
    "server-process.ts",
    { ...orders, work: "none" },
    gc,
  );
  const bare = await startRemote<BareHttpCalls>("bare-http-process.ts", {}, gc);
  const client = await startRemote<LoadCalls>("load-process.ts", {});
  const writer = await startRemote<WriterCalls>("writer-process.ts", orders);
  try {
    const { url, signInLink } = await server.calls.address();
    const { url: bareUrl } = await bare.calls.address();
    const headers = { cookie: await signIn(signInLink) };
    const body = JSON.stringify({ prompt: promptOf({ steps: 1 }) });
    const made = JSON.parse(
      (
        await client.calls.load({
          url,
          headers,
          method: "POST",
          path: "/api/runs",
          body,
          connections: 1,
          seconds: 0.1,
        })
      ).lastBody,
    ) as { id: string };
    await bare.calls.respondWith(JSON.stringify(made));
    const figures: Figure[] = [];
    const compare = async (name: string, order: Omit<LoadOrder, "url" | "headers" | "seconds">) => {
      for (const at of [url, bareUrl])
        await client.calls.load({ ...order, url: at, headers, seconds: 1 });
      const ours = await client.calls.load({ ...order, url, headers, seconds });
      const theirs = await client.calls.load({ ...order, url: bareUrl, headers, seconds });
      if (ours.wrong + theirs.wrong > 0)
        throw new Error(`${name}: ${ours.wrong} and ${theirs.wrong} requests were refused`);
      figures.push(
        { name: `${name}, requests`, value: ours.perSecond, unit: "/s" },
        { name: `${name}, p50`, value: ours.p50, unit: "ms" },
        { name: `${name}, p99`, value: ours.p99, unit: "ms" },
        { name: `${name}, bare Node`, value: theirs.perSecond, unit: "/s" },
        { name: `${name}, bare Node p99`, value: theirs.p99, unit: "ms" },
      );
    };
    // Measured first, on a fresh server, because load leaves free memory behind that streams would
    // then use without being counted.
    const memoryBefore = await server.calls.memory();
    // Starts once all streams are open.
    const order = {
      prompt: promptOf({ steps: quick ? 60 : 150 }),
      delayMs: 8_000,
      caps: { modelTurns: 1_000, toolCalls: 1_000 },
    };
    const { id: runId } = (await (
      await fetch(`${url}/api/runs`, {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify(order),
      })
    ).json()) as { id: string };
    await client.calls.openStreams({ url, headers, path: `/api/runs/${runId}/stream`, count });
    const perStream = ((await server.calls.memory()) - memoryBefore) / count;
    const ours = await client.calls.readToEnd();

    const bareBefore = await bare.calls.memory();
    await client.calls.openStreams({ url: bareUrl, headers, path: "/stream", count });
    const barePerStream = ((await bare.calls.memory()) - bareBefore) / count;
    const frame = `event: log\ndata: ${"x".repeat(Math.max(50, Math.round(ours.bytes / ours.events) - 30))}\n\n`;
    const reading = client.calls.readToEnd();
    await bare.calls.writeFrames({ frame, times: Math.round(ours.events / count) });
    const theirs = await reading;
    figures.push(
      { name: `events to ${count} streams`, value: ours.perSecond, unit: "/s" },
      { name: `events to ${count} streams, bare Node`, value: theirs.perSecond, unit: "/s" },
      { name: "memory of an open stream", value: perStream / 1_024, unit: "kB" },
      { name: "memory of an open stream, bare Node", value: barePerStream / 1_024, unit: "kB" },
    );
    await compare("read a run, 16 connections", {
      method: "GET",
      path: `/api/runs/${made.id}`,
      connections: 16,
    });
    const create = { method: "POST", path: "/api/runs", body, connections: 16 } as const;
    // A worker on the same cores runs each of them to its end. The bare server does no such work.
    const withRun = await client.calls.load({ ...create, url, headers, seconds });
    if (withRun.wrong > 0)
      throw new Error(`create a run and run it: ${withRun.wrong} requests were refused`);
    figures.push(
      {
        name: "create a run and run it, 16 connections, requests",
        value: withRun.perSecond,
        unit: "/s",
      },
      { name: "create a run and run it, 16 connections, p50", value: withRun.p50, unit: "ms" },
      { name: "create a run and run it, 16 connections, p99", value: withRun.p99, unit: "ms" },
    );
    await writer.close();
    await compare("create a run that no worker takes up, 16 connections", create);
    return {
      figures,
      notes: [
        `${ours.events} events of ${Math.round(ours.bytes / ours.events)} bytes in ${ours.seconds.toFixed(1)} s; bare ${theirs.events} in ${theirs.seconds.toFixed(1)} s. The run is made by a worker in another process as fast as it can: with Bron, its steps, commits and notifications are in the time.`,
        "Server, worker, Postgres and clients share the same cores. The bare server answers from memory: no session, no database, no schema.",
      ],
    };
  } finally {
    await writer.close();
    await client.close();
    await bare.close();
    await server.close();
  }
}
