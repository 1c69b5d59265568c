// A worker or a server in its own process, which dies or freezes at a given point. Its orders are
// JSON in argv[2].
import { omitUndefined } from "@bron/protocol";
import { noServerLimits } from "../../support/http/no-server-limits.ts";
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import type { AuxiliaryRequest, Store } from "@bron/core";
import { chooseModel } from "@bron/models";
import { modelWithFaults, storeWithFaults, toolWithFaults, type Hit } from "@bron/testing";
import type { BronServer } from "@bron/server";
import { createRuntime, systemClock } from "@bron/runtime";
import { z } from "zod";
import { crashTools } from "./crash-tools.ts";
import { upkeepWithFaults } from "./upkeep-faults.ts";

export interface WorkerOrders {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly simulatorUrl: string;
  readonly modelUrl: string;
  readonly work: "sweep" | "own" | "none";
  /** Also serves the HTTP API for this owner, on a free port. */
  readonly serve?: { readonly ownerId: string };
  /** For a process that only serves: disables the timer that looks for missed notifications. */
  readonly withoutSafetyPoll?: boolean;
  readonly leaseMs: number;
  readonly sweepMs?: number;
  readonly slowMs?: number;
  /** Where to die (SIGKILL) or freeze (SIGSTOP): at the n-th hit of a point. */
  readonly fault?: {
    readonly point: string;
    readonly occurrence: number;
    readonly how: "kill" | "freeze";
  };
  /** Print every point that is passed. */
  readonly printHits?: boolean;
  readonly create?: { readonly ownerId: string; readonly prompt: string };
  /** Cancels its own run once one of its tools has started. */
  readonly cancelInTool?: boolean;
  /** Also approves the effects of its own run. */
  readonly approve?: boolean;
  /** Denies the effects of its own run instead. */
  readonly deny?: boolean;
  /** Also says this to its own run, and answers its questions and client actions with it. */
  readonly say?: string;
  readonly approvalTtlMs?: number;
  readonly limits?: {
    readonly perWorker?: number;
    readonly perOwner?: number;
    readonly inAll?: number;
  };
  readonly price?: {
    readonly inputMicrousdPerMillion: number;
    readonly outputMicrousdPerMillion: number;
  };
  readonly maxOutputTokens?: number;
  /** How long after a task its memory summary is renewed. By default hours, so that no run is added. */
  readonly upkeepAfterMs?: number;
  /** Its runs make an auxiliary call before their first step. */
  readonly asksTopic?: boolean;
}

const orders = JSON.parse(process.argv[2] ?? "{}") as WorkerOrders;
const print = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`);

const hits = new Map<string, number>();
let compiledCodeIsKept = false;
const hit: Hit = (point) => {
  const count = (hits.get(point) ?? 0) + 1;
  hits.set(point, count);
  if (orders.printHits === true) print({ hit: point, occurrence: count });
  if (point.endsWith(";end):after")) keepCompiledCode();
  const { fault } = orders;
  if (fault?.point !== point || fault.occurrence !== count) return;
  print({ faulted: point });
  process.kill(process.pid, fault.how === "kill" ? "SIGKILL" : "SIGSTOP");
};

const topicRequest: AuxiliaryRequest = {
  purpose: "topic",
  instruction: "Name the topic.",
  prompt: "go",
  schema: z.object({ topic: z.string() }),
};

/**
 * Keeps the compiled code for later workers, which then start and run with a quarter less work. A
 * killed process cannot do it on exit. Only code that ran is kept, so this waits for the end of a run.
 */
function keepCompiledCode(): void {
  if (compiledCodeIsKept) return;
  compiledCodeIsKept = true;
  flushCompileCache();
}

const { model, modelId, maxOutputTokens } = chooseModel({ demoBaseUrl: orders.modelUrl });
const runtime = await createRuntime({
  databaseUrl: orders.databaseUrl,
  secretKey: orders.secretKey,
  model: {
    model: modelWithFaults(model, hit),
    name: modelId,
    maxOutputTokens: orders.maxOutputTokens ?? maxOutputTokens,
    ...omitUndefined({ price: orders.price }),
  },
  tools: crashTools(
    orders.simulatorUrl,
    orders.slowMs === undefined ? {} : { slowMs: orders.slowMs },
  ).map((tool) => toolWithFaults(tool, hit)),
  ...(orders.asksTopic === true ? { auxiliaryRequests: () => [topicRequest] } : {}),
  work: orders.work,
  upkeepAfterMs: orders.upkeepAfterMs ?? 3_600_000,
  ...omitUndefined({ limits: orders.limits }),
  engine: { leaseMs: orders.leaseMs, sweepMs: orders.sweepMs ?? 200 },
  ...(orders.withoutSafetyPoll === true ? { clock: { ...systemClock, sleep: untilAborted } } : {}),
  ...omitUndefined({ approvalTtlMs: orders.approvalTtlMs }),
  // Timing decides how often a worker renews and sweeps, so only the requested one of those points
  // counts.
  wrap: (store) =>
    upkeepWithFaults(storeWithFaults(printingClaims(store), hit), (point) =>
      orders.fault?.point === point ? hit(point) : undefined,
    ),
  onProblem: (message) => print({ problem: message }),
});
const server = orders.serve ? await openServer(orders.serve.ownerId) : undefined;
process.on("SIGTERM", () => void closeAll().then(() => process.exit(0)));
if (server) print({ url: server.url, signIn: server.signInLink() });
print({ ready: runtime.workerName });
if (orders.create) {
  const run = await runtime.clientFor(orders.create.ownerId).call("POST /api/runs", {
    body: {
      prompt: orders.create.prompt,
    },
  });
  print({ created: run.id });
  if (orders.cancelInTool === true) {
    for await (const { type, payload } of runtime.logs.events(orders.create.ownerId, run.id))
      if (type === "tool" && payload.phase === "start") break;
    await runtime
      .clientFor(orders.create.ownerId)
      .call("POST /api/runs/:id/cancel", { params: { id: run.id } });
  }
  if (orders.say !== undefined) void speakToOwn(orders.create.ownerId, run.id, orders.say);
  if (orders.approve === true || orders.deny === true)
    void decideOwn(orders.create.ownerId, run.id);
}

/**
 * Loads the server only when it is needed, because most workers do not serve, and hundreds of them
 * are started.
 */
async function openServer(ownerId: string): Promise<BronServer> {
  const { createServer } = await import("@bron/server");
  return await createServer({
    ...noServerLimits,
    runtime,
    ownerId,
    host: "127.0.0.1",
    port: 0,
    serverId: randomUUID(),
    onProblem: (message, error) => print({ problem: `${message}: ${String(error)}` }),
  });
}

async function closeAll(): Promise<void> {
  await server?.close();
  await runtime.close();
}

function untilAborted(_ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) resolve();
    else signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

function printingClaims(store: Store): Store {
  const claim: Store["log"]["claim"] = async (request) => {
    const result = await store.log.claim(request);
    if (result.claimed)
      print({
        claimed: request.runId,
        at: Date.now(),
        until: request.takeOverUntil,
        fruitless: result.claimsWithoutProgress,
      });
    return result;
  };
  return { ...store, log: { ...store.log, claim } };
}

async function decideOwn(ownerId: string, runId: string): Promise<void> {
  const client = runtime.clientFor(ownerId);
  const choice = orders.deny === true ? "deny" : "approve";
  for (;;) {
    for (const { id, digest } of await client.list("GET /api/approvals", {
      runId,
      pending: "true",
    }))
      await client.call(`POST /api/approvals/:id/${choice}`, {
        params: { id },
        body: { digest },
      });
    await sleep(60);
  }
}

async function speakToOwn(ownerId: string, runId: string, words: string): Promise<void> {
  const client = runtime.clientFor(ownerId);
  await client.call("POST /api/runs/:id/messages", {
    params: { id: runId },
    body: { content: words },
    idempotencyKey: "words",
  });
  for (;;) {
    for (const { id } of await client.list("GET /api/questions", { runId, pending: "true" }))
      await client
        .call("POST /api/questions/:id/answer", { params: { id }, body: { typed: words } })
        .catch(() => undefined);
    for (const { id: actionId } of await client.list("GET /api/client-actions", { open: "true" }))
      await fillForm(ownerId, { runId, actionId }, words).catch(() => undefined);
    await sleep(60);
  }
}

async function fillForm(
  ownerId: string,
  { runId: id, actionId }: { readonly runId: string; readonly actionId: string },
  result: string,
): Promise<void> {
  const client = runtime.clientFor(ownerId);
  const params = { id, actionId };
  const { secret } = await client.call("POST /api/runs/:id/actions/:actionId/take", {
    params,
    idempotencyKey: "tab 1",
  });
  await client.call("POST /api/runs/:id/actions/:actionId/finish", {
    params,
    body: { secret, result },
  });
}

// Runs until SIGTERM, or until the parent process is gone.
const parent = process.ppid;
while (process.ppid === parent) await sleep(250);
process.exit(0);
