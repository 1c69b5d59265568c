import {
  byRules,
  createModelHealth,
  createModelSet,
  defaultModelLimits,
  defaultRules,
  defineTool,
  type AdvanceDeps,
  type Lease,
  type RunLog,
  type Store,
} from "@bron/core";
import { defaultCaps } from "@bron/protocol";
import { memoryStore } from "@bron/memory-store";
import { manualClock, scriptedLanguageModel, type ManualClock } from "@bron/testing";
import { hash, randomUUID } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import { z } from "zod";
import { startWorker } from "./worker.ts";

const leaseMs = 5_000;
const ownerId = "owner";

/** A worker on the in-memory store. Its only tool waits until the test finishes it. */
function openHarness({ perWorker }: { readonly perWorker: number }) {
  const clock = manualClock();
  const store = memoryStore({ now: clock.now });
  const database = { isAway: false };
  const released: Lease[] = [];
  const claimed: Lease[] = [];
  const tool = { waiting: [] as (() => void)[], aborted: 0 };
  const log: RunLog = {
    ...store.log,
    async claim(request) {
      const result = await store.log.claim(request);
      if (result.claimed) claimed.push(result.lease);
      return result;
    },
    renew: (worker, leases, ms) =>
      database.isAway ? Promise.reject(new TypeError("away")) : store.log.renew(worker, leases, ms),
    release(lease, options) {
      released.push(lease);
      return store.log.release(lease, options);
    },
  };
  const wait = defineTool({
    name: "wait",
    description: "Waits for the test.",
    input: z.object({}),
    repeatable: true,
    parallelSafe: true,
    execute: (_input, { signal }) =>
      new Promise((resolve, reject) => {
        tool.waiting.push(() => resolve({ done: true }));
        signal.addEventListener("abort", () => {
          tool.aborted++;
          reject(signal.reason as Error);
        });
      }),
  });
  const worker = startWorker({
    name: "w1",
    deps: depsOf({ store, log, clock, wait }),
    log,
    clock,
    limits: { perWorker, perOwner: 50, inAll: 50 },
    leaseMs,
    sweepMs: 1_000,
    sweep: {
      takeRunnable: () => Promise.resolve([]),
      expireDue: () => Promise.resolve(0),
      startDue: () => Promise.resolve(0),
      pollWatches: () => Promise.resolve(0),
      notifyParents: () => Promise.resolve(0),
      startUpkeep: () => Promise.resolve(0),
    },
    sweeps: "all",
    places: [],
    workers: store.workers,
    onProblem: () => undefined,
  });
  const create = async () =>
    (
      await store.runs.create({
        ownerId,
        input: { prompt: "wait" },
        title: "wait",
        caps: defaultCaps,
      })
    ).run.id;
  const statusOf = async (runId: string) => (await store.runs.get(ownerId, runId))?.status;
  return { clock, store, worker, database, released, claimed, tool, create, statusOf };
}

function depsOf({
  store,
  log,
  clock,
  wait,
}: {
  readonly store: Store;
  readonly log: RunLog;
  readonly clock: ManualClock;
  readonly wait: ReturnType<typeof defineTool>;
}): AdvanceDeps {
  const model = scriptedLanguageModel(({ turn }) =>
    turn === 0 ? { calls: [{ tool: "wait", input: {} }] } : { text: "done" },
  );
  return {
    log,
    threads: store.threads,
    runs: store.runs,
    memory: store.memory,
    upkeep: store.upkeep,
    artifacts: store.artifacts,
    clock,
    ids: { uuid: randomUUID },
    digestText: (text) => `sha256:${hash("sha256", text)}`,
    policy: byRules,
    permissions: { rules: () => Promise.resolve(defaultRules) },
    sideEffects: true,
    askUses: store.askUses,
    denials: store.denials,
    written: store.written,
    onGrantsUsed: () => undefined,
    tools: new Map([[wait.name, wait]]),
    modelsFor: () =>
      Promise.resolve(
        createModelSet({ main: { model, name: "scripted", maxOutputTokens: 1_000 } }),
      ),
    modelHealth: createModelHealth(clock),
    modelLimits: defaultModelLimits,
    leaseMs,
    approvalTtlMs: 60_000,
    onDelta: () => undefined,
    onAppend: () => undefined,
    proveApproval: () => Promise.resolve(true),
    clientSecretHash: () => Promise.resolve(""),
  };
}

describe("a worker", () => {
  let open: ReturnType<typeof openHarness> | undefined;
  afterEach(async () => {
    const closing = open?.worker.close();
    await open?.clock.pass(30_000);
    await closing;
  });

  it("BR5 advances no more runs at once than its limit", async () => {
    open = openHarness({ perWorker: 1 });
    const { worker, tool, claimed, create, statusOf } = open;
    const [first, second] = [await create(), await create()];
    expect(worker.hasRoom()).toBe(true);
    const segment = worker.execute(first);
    await expect.poll(() => tool.waiting.length).toBe(1);
    expect(worker.hasRoom()).toBe(false);
    await worker.execute(second);
    expect(claimed.map(({ runId }) => runId)).toEqual([first]);
    expect(await statusOf(second)).toBe("queued");
    tool.waiting[0]?.();
    await segment;
    expect(await statusOf(first)).toBe("completed");
    expect(worker.hasRoom()).toBe(true);
  });

  it("X2 keeps its lease while the database is unreachable, and continues the run under it", async () => {
    open = openHarness({ perWorker: 5 });
    const { worker, clock, database, tool, claimed, released, create, statusOf } = open;
    const runId = await create();
    const segment = worker.execute(runId);
    await expect.poll(() => tool.waiting.length).toBe(1);
    database.isAway = true;
    await clock.pass(leaseMs * 0.7);
    await segment;
    expect(tool.aborted).toBe(1);
    // Releasing the lease would free the run for others although this worker is only cut off for a
    // moment.
    expect(released).toEqual([]);
    expect(worker.hasRoom()).toBe(false);
    database.isAway = false;
    await clock.pass(leaseMs * 0.3);
    expect(worker.hasRoom()).toBe(true);
    const again = worker.execute(runId);
    await expect.poll(() => tool.waiting.length).toBe(2);
    expect(claimed.map(({ worker: name, epoch }) => [name, epoch])).toEqual([
      ["w1", 1],
      ["w1", 2],
    ]);
    tool.waiting[1]?.();
    await again;
    expect(await statusOf(runId)).toBe("completed");
  });

  it("X2 counts its own interruptions against a run only after five in a row", async () => {
    open = openHarness({ perWorker: 5 });
    const { worker, clock, database, tool, store, create } = open;
    const interrupt = async (runId: string) => {
      const before = tool.waiting.length;
      const segment = worker.execute(runId);
      await expect.poll(() => tool.waiting.length).toBe(before + 1);
      database.isAway = true;
      await clock.pass(leaseMs * 0.7);
      await segment;
      database.isAway = false;
      await clock.pass(leaseMs * 0.3);
    };
    const outcomesOf = async (runId: string) =>
      (await store.runs.events(ownerId, runId, 0, 1_000)).flatMap((event) =>
        event.type === "tool" && event.payload.phase === "end" ? [event.payload.outcome] : [],
      );
    const [busy, blocking] = [await create(), await create()];
    for (let times = 0; times < 5; times++) await interrupt(busy);
    const last = worker.execute(busy);
    await expect.poll(() => tool.waiting.length).toBe(6);
    tool.waiting.at(-1)?.();
    await last;
    expect(await outcomesOf(busy)).toEqual(["completed"]);
    // Three counted starts follow.
    for (let times = 0; times < 8; times++) await interrupt(blocking);
    await worker.execute(blocking);
    expect(await outcomesOf(blocking)).toEqual(["failed"]);
  });
});
