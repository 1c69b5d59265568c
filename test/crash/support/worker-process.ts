// A worker in a process of its own, that dies or freezes where it is told to. Its orders come as JSON in argv[2].
import { writeSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@bron/core";
import { chooseModel } from "@bron/models";
import { modelWithFaults, storeWithFaults, toolWithFaults, type Hit } from "@bron/testing";
import { createBron } from "bron";
import { crashTools } from "./crash-tools.ts";

export interface WorkerOrders {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly worldUrl: string;
  readonly modelUrl: string;
  readonly work: "sweep" | "own";
  readonly leaseMs: number;
  readonly sweepMs?: number;
  readonly slowMs?: number;
  /** Where to die (SIGKILL) or freeze (SIGSTOP), at the n-th hit of a point. */
  readonly fault?: { readonly point: string; readonly occurrence: number; readonly how: "kill" | "freeze" };
  /** Tell every point that is passed. */
  readonly tellHits?: boolean;
  readonly create?: { readonly ownerId: string; readonly prompt: string };
  /** Stops its own run so long after it was created. */
  readonly cancelAfterMs?: number;
  /** Also approves what its own run asks for. */
  readonly approve?: boolean;
  readonly limits?: { readonly perWorker?: number; readonly perOwner?: number; readonly inAll?: number };
  readonly price?: { readonly inputMicrousdPerMillion: number; readonly outputMicrousdPerMillion: number };
  readonly maxOutputTokens?: number;
}

const orders = JSON.parse(process.argv[2] ?? "{}") as WorkerOrders;
const tell = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`);

const hits = new Map<string, number>();
const hit: Hit = (point) => {
  const count = (hits.get(point) ?? 0) + 1;
  hits.set(point, count);
  if (orders.tellHits === true) tell({ hit: point, occurrence: count });
  const { fault } = orders;
  if (fault?.point !== point || fault.occurrence !== count) return;
  tell({ faulted: point });
  process.kill(process.pid, fault.how === "kill" ? "SIGKILL" : "SIGSTOP");
};

const { model, modelId, maxOutputTokens } = chooseModel({ demoBaseUrl: orders.modelUrl });
const bron = await createBron({
  databaseUrl: orders.databaseUrl,
  secretKey: orders.secretKey,
  model: { model: modelWithFaults(model, hit), name: modelId, maxOutputTokens: orders.maxOutputTokens ?? maxOutputTokens, ...(orders.price ? { price: orders.price } : {}) },
  tools: crashTools(orders.worldUrl, orders.slowMs === undefined ? {} : { slowMs: orders.slowMs }).map((tool) => toolWithFaults(tool, hit)),
  work: orders.work,
  ...(orders.limits ? { limits: orders.limits } : {}),
  engine: { leaseMs: orders.leaseMs, sweepMs: orders.sweepMs ?? 200 },
  wrap: (store) => storeWithFaults(tellingClaims(store), hit),
  onProblem: (message) => tell({ problem: message }),
});
process.on("SIGTERM", () => void bron.close().then(() => process.exit(0)));
tell({ ready: bron.workerName });
if (orders.create) {
  const run = await bron.runs.create(orders.create.ownerId, { prompt: orders.create.prompt });
  tell({ created: run.id });
  if (orders.cancelAfterMs !== undefined) {
    await sleep(orders.cancelAfterMs);
    await bron.runs.cancel(orders.create.ownerId, run.id);
  }
  if (orders.approve === true) void approveOwn(orders.create.ownerId, run.id);
}
function tellingClaims(store: Store): Store {
  const claim: Store["log"]["claim"] = async (request) => {
    const result = await store.log.claim(request);
    if (result.claimed) tell({ claimed: request.runId, at: Date.now(), until: request.takeOverUntil, fruitless: result.claimsWithoutProgress });
    return result;
  };
  return { ...store, log: { ...store.log, claim } };
}

async function approveOwn(ownerId: string, runId: string): Promise<void> {
  for (;;) {
    for (const { id, digest } of await bron.approvals.list(ownerId, { runId, pendingOnly: true })) await bron.approvals.approve(ownerId, id, digest);
    await sleep(20);
  }
}

// Lives until it is told to end, or until its parent is gone.
const parent = process.ppid;
while (process.ppid === parent) await sleep(250);
process.exit(0);
