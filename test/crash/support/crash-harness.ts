import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { startDemoModel, type Script, type DemoModelServer } from "@bron/demo-model";
import { isParked, isTerminal, omitUndefined, type RunEvent, type RunView } from "@bron/protocol";
import { createRuntime, type Runtime } from "@bron/runtime";
import { isFullSuite, readEverything, scriptedLanguageModel } from "@bron/testing";
import { compileCache } from "../../support/compile-cache.ts";
import { createTestDatabase } from "../../support/test-database.ts";
import { openOutsideSimulator, type OutsideSimulator } from "./outside-simulator.ts";
import { crashScript } from "./crash-script.ts";
import type { WorkerOrders } from "./worker-process.ts";

export interface HarnessWorker {
  readonly process: ChildProcess;
  readonly name: string;
  /** The lines that the worker printed, parsed as objects. */
  readonly lines: Record<string, unknown>[];
  /** Waits for a line with this key. Resolves with undefined if the process ends first. */
  waitForLine(key: string): Promise<unknown>;
  readonly ended: Promise<{ at: number; code: number | null; signal: string | null }>;
  kill(): Promise<void>;
  thaw(): void;
}

export interface Harness {
  readonly runtime: Runtime;
  readonly simulator: OutsideSimulator;
  readonly model: DemoModelServer;
  readonly databaseUrl: string;
  start(orders?: Partial<WorkerOrders>): Promise<HarnessWorker>;
  /** Approves everything that is pending for this owner until the run has ended. */
  approveAll(ownerId: string, runId: string, timeoutMs?: number): Promise<RunView>;
  until(
    ownerId: string,
    runId: string,
    holds: (run: RunView) => boolean,
    timeoutMs?: number,
  ): Promise<RunView>;
  events(ownerId: string, runId: string): Promise<RunEvent[]>;
  close(): Promise<void>;
}

/** `npm test` builds the program, which then starts in half the time. */
const program =
  process.env["BRON_CRASH_WORKER"] ?? fileURLToPath(new URL("worker-process.ts", import.meta.url));
/** Between two looks at a run. Most of them wait for a process to start or a lease to expire. */
const lookMs = isFullSuite ? 100 : 250;
export const harnessSecretKey = "a secret key for tests that is long enough";

/**
 * Opens a database, an outside simulator, a model, and a runtime in this process that only observes
 * and approves. The tests start the workers.
 */
export async function openHarness(
  serverUrl: string,
  options: {
    script?: Script;
    leaseMs?: number;
    chunkDelayMs?: number;
    /** Starts without the tables of the queue, which the first worker creates. */
    isEmpty?: boolean;
  } = {},
): Promise<Harness> {
  const database = await createTestDatabase(serverUrl, omitUndefined({ isEmpty: options.isEmpty }));
  const simulator = await openOutsideSimulator();
  const model = await startDemoModel({
    script: options.script ?? crashScript,
    reader: readEverything,
    chunkDelayMs: options.chunkDelayMs ?? 0,
  });
  const workers: HarnessWorker[] = [];
  const unused = scriptedLanguageModel(() => ({ text: "never asked" }));
  const runtime = await createRuntime({
    databaseUrl: database.url,
    secretKey: harnessSecretKey,
    work: "none",
    model: { model: unused, name: "none", maxOutputTokens: 1 },
  });
  const until: Harness["until"] = async (ownerId, runId, holds, timeoutMs = 120_000) => {
    for (
      const deadline = Date.now() + timeoutMs;
      ;
      await new Promise((resolve) => setTimeout(resolve, lookMs))
    ) {
      const run = await runtime
        .clientFor(ownerId)
        .call("GET /api/runs/:id", { params: { id: runId } });
      if (holds(run)) return run;
      if (Date.now() > deadline)
        throw new Error(
          `Run ${runId} is ${run.status} at ${run.lastSeq} after ${timeoutMs} ms:\n${formatTimeline(await events(ownerId, runId))}`,
        );
    }
  };
  const events: Harness["events"] = async (ownerId, runId) => {
    const found: RunEvent[] = [];
    for await (const event of runtime.logs.events(ownerId, runId, {
      untilParked: true,
      signal: AbortSignal.timeout(20_000),
    }))
      found.push(event);
    return found;
  };
  return {
    runtime,
    simulator,
    model,
    databaseUrl: database.url,
    until,
    events,
    async approveAll(ownerId, runId, timeoutMs) {
      return await until(
        ownerId,
        runId,
        (run) => {
          if (isParked(run.status)) void approvePending(runtime, ownerId, runId);
          return isTerminal(run.status);
        },
        timeoutMs,
      );
    },
    async start(orders = {}) {
      const worker = await startWorkerProcess({
        databaseUrl: database.url,
        secretKey: harnessSecretKey,
        simulatorUrl: simulator.url,
        modelUrl: model.url,
        work: "sweep",
        leaseMs: options.leaseMs ?? 3_000,
        ...orders,
      });
      workers.push(worker);
      return worker;
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.kill()));
      await runtime.close();
      await model.close();
      await simulator.close();
      await database.drop();
    },
  };
}

async function approvePending(runtime: Runtime, ownerId: string, runId: string): Promise<void> {
  const client = runtime.clientFor(ownerId);
  for (const approval of await client.list("GET /api/approvals", { runId, pending: "true" })) {
    await client
      .call("POST /api/approvals/:id/approve", {
        params: { id: approval.id },
        body: { digest: approval.digest },
      })
      .catch(() => undefined);
  }
}

async function startWorkerProcess(orders: WorkerOrders): Promise<HarnessWorker> {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", program, JSON.stringify(orders)],
    { env: { ...process.env, ...compileCache }, stdio: ["ignore", "pipe", "inherit"] },
  );
  const lines: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
    for (const listener of listeners) listener();
  });
  const ended = once(child, "exit").then(([code, signal]) => {
    for (const listener of listeners) listener();
    return { at: Date.now(), code: code as number | null, signal: signal as string | null };
  });
  const waitForLine = (key: string) =>
    new Promise<unknown>((resolve) => {
      const check = () => {
        const line = lines.find((one) => key in one);
        if (!line && child.exitCode === null && child.signalCode === null) return;
        listeners.delete(check);
        resolve(line?.[key]);
      };
      listeners.add(check);
      check();
    });
  const name = (await waitForLine("ready")) as string | undefined;
  return {
    process: child,
    name: name ?? "",
    lines,
    waitForLine,
    ended,
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    thaw: () => void child.kill("SIGCONT"),
  };
}

export function formatTimeline(events: readonly RunEvent[]): string {
  return events
    .map(
      ({ seq, type, payload, createdAt }) =>
        `${createdAt.slice(17, 23)} ${seq} ${type} ${JSON.stringify(payload).slice(0, 160)}`,
    )
    .join("\n");
}
