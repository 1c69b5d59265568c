import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { googleConnector, slackConnector, type GoogleConnectorOptions } from "@bron/connectors";
import { isTerminal, type RunEvent, type RunView } from "@bron/protocol";
import { isFullSuite, scriptedLanguageModel } from "@bron/testing";
import { startSimulator, type Simulator } from "@bron/simulator";
import { createRuntime, type Runtime } from "@bron/runtime";
import { compileCache } from "../../support/compile-cache.ts";
import { createTestDatabase } from "../../support/test-database.ts";
import { grantDrafts } from "./grant-drafts.ts";
import { submitConsentPage } from "./consent-page.ts";
import { crashReaders, crashScripts, type CrashTask } from "./crash-scripts.ts";
import { decideApproval } from "./decide-approval.ts";
import type { MailWorkerOrders } from "./mail-worker.ts";

interface MailWorker {
  /** The lines that the worker printed, parsed as objects. */
  readonly lines: readonly Record<string, unknown>[];
  readonly ended: Promise<{ readonly signal: string | null }>;
  isAlive(): boolean;
  waitForLine(key: string): Promise<unknown>;
  decide(): void;
  thaw(): void;
  /**
   * Shuts the worker down cleanly. Work that has started and may not be repeated finishes first.
   */
  end(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * A database, a simulator in this process and a standby worker. The cases of one lane run one after
 * another.
 */
export interface MailCrashLane {
  readonly runtime: Runtime;
  readonly simulator: Simulator;
  /** The worker that takes over. It is never killed. */
  readonly standby: MailWorker;
  start(orders: Partial<MailWorkerOrders>): Promise<MailWorker>;
  events(runId: string): Promise<RunEvent[]>;
  /**
   * Decides everything that is pending until the run has ended: through the run's own worker while
   * it is alive, otherwise from here.
   */
  decideUntilEnded(runId: string, worker: MailWorker): Promise<RunView>;
  /** Waits until no call to Google is in progress. */
  waitForGoogle(): Promise<void>;
  close(): Promise<void>;
}

export const laneOwner = "local";
const secretKey = "a secret key of the mail lanes, long enough";
const leaseMs = 3_000;
/**
 * The lanes share two cores, so that a call can take a second by itself. The short suite also shares
 * its process with other tests, and breaks no call by a deadline.
 */
const callTimes = isFullSuite
  ? { draftMs: 2_000, sendMs: 3_000, eventMs: 3_000 }
  : { draftMs: 10_000, sendMs: 10_000, eventMs: 10_000 };
const program = fileURLToPath(new URL("mail-worker.ts", import.meta.url));

export async function openMailCrashLane(
  serverUrl: string,
  task: CrashTask = "mail",
): Promise<MailCrashLane> {
  const database = await createTestDatabase(serverUrl);
  const simulator = await startSimulator({ seed: 7 });
  const {
    authUrl: authorize,
    tokenUrl: token,
    revokeUrl: revoke,
    rootUrl,
  } = simulator.googleEndpoints;
  const google: GoogleConnectorOptions = {
    times: { ...callTimes, searchDelaysMs: [0, 100] },
    config: {
      clientId: simulator.clientId,
      clientSecret: simulator.clientSecret,
      endpoints: { authorize, token, revoke, rootUrl },
    },
  };
  const slack: Parameters<typeof slackConnector>[0] = {
    times: { postMs: 3_000, searchDelaysMs: [0, 100] },
    config: {
      botToken: simulator.slackBotToken,
      endpoints: {
        authorize: simulator.slackEndpoints.authorizeUrl,
        api: simulator.slackEndpoints.apiUrl,
      },
    },
  };
  const model = {
    model: scriptedLanguageModel(crashScripts[task], crashReaders[task]),
    name: "scripted",
    maxOutputTokens: 1_000,
  };
  const runtime = await createRuntime({
    databaseUrl: database.url,
    secretKey,
    model,
    connectors: [googleConnector(google), slackConnector(slack)],
    work: "none",
  });
  const redirectUri = "http://127.0.0.1:9/callback";
  const response = await submitConsentPage(
    (await runtime.connections.startSignIn(laneOwner, "google", redirectUri)).url,
  );
  await runtime.connections.finishSignIn("google", {
    state: response.searchParams.get("state") ?? "",
    code: response.searchParams.get("code") ?? "",
    redirectUri,
  });
  await grantDrafts(runtime.clientFor(laneOwner));
  if (task === "unasked")
    await runtime
      .clientFor(laneOwner)
      .call("POST /api/permissions/trust", { body: { level: "autonomous" } });
  const workers: MailWorker[] = [];
  const start: MailCrashLane["start"] = async (orders) => {
    const worker = await startMailWorker({
      databaseUrl: database.url,
      secretKey,
      google,
      slack,
      task,
      work: "own",
      leaseMs,
      ...orders,
    });
    workers.push(worker);
    return worker;
  };
  const standby = await start({ work: "sweep" });
  return {
    runtime,
    simulator,
    standby,
    start,
    events: async (runId) =>
      (await runtime.logs.read(laneOwner, runId, { afterSeq: 0, limit: 1_000 })).events,
    async decideUntilEnded(runId, worker) {
      const client = runtime.clientFor(laneOwner);
      let offeredAt = 0;
      let offeredId = "";
      for (const deadline = Date.now() + 60_000; ; await sleep(25)) {
        const run = await client.call("GET /api/runs/:id", { params: { id: runId } });
        if (isTerminal(run.status)) return run;
        if (Date.now() > deadline)
          throw new Error(`The run is ${run.status} at ${run.lastSeq} after a minute`);
        const pending = await client.list("GET /api/approvals", { runId, pending: "true" });
        const [first] = pending;
        if (!first) continue;
        // Each approval is first offered to the run's own worker.
        if (first.id !== offeredId) offeredAt = 0;
        offeredId = first.id;
        if (offeredAt === 0 && task === "mail") {
          const drafts = (
            await simulator.control.drafts(simulator.accounts[0]?.address ?? "")
          ).filter(({ subject }) => subject === run.prompt);
          if (drafts.length !== 1)
            throw new Error(`${drafts.length} drafts exist while one is shown`);
        }
        // Requests that still hung when the draft was created complete before the draft is sent.
        simulator.faults.release();
        if (worker.isAlive() && (offeredAt === 0 || Date.now() < offeredAt + 1_500)) {
          if (offeredAt === 0) worker.decide();
          offeredAt ||= Date.now();
        } else for (const approval of pending) await decideApproval(client, task, approval);
      }
    },
    async waitForGoogle() {
      simulator.faults.clear();
      for (
        const deadline = Date.now() + 10_000;
        simulator.record().calls.some(({ ending }) => ending === "open");
        await sleep(20)
      )
        if (Date.now() > deadline) throw new Error("A call to Google never ended");
    },
    async close() {
      await Promise.all(workers.map((worker) => worker.kill()));
      await runtime.close();
      await simulator.close();
      await database.drop();
    },
  };
}

async function startMailWorker(orders: MailWorkerOrders): Promise<MailWorker> {
  const child: ChildProcess = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", program, JSON.stringify(orders)],
    { env: { ...process.env, ...compileCache }, stdio: ["pipe", "pipe", "inherit"] },
  );
  const { stdin, stdout } = child;
  if (!stdin || !stdout) throw new Error("The worker has no pipes");
  stdin.on("error", () => undefined);
  const lines: Record<string, unknown>[] = [];
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  createInterface({ input: stdout }).on("line", (line) => {
    lines.push(JSON.parse(line) as Record<string, unknown>);
    notify();
  });
  const ended = once(child, "exit").then(([, signal]) => {
    notify();
    return { signal: signal as string | null };
  });
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  const waitForLine = (key: string) =>
    new Promise<unknown>((resolve) => {
      const check = () => {
        const line = lines.find((one) => key in one);
        if (!line && isAlive()) return;
        listeners.delete(check);
        resolve(line?.[key]);
      };
      listeners.add(check);
      check();
    });
  await waitForLine("ready");
  return {
    lines,
    ended,
    isAlive,
    waitForLine,
    decide: () => void stdin.write("decide\n"),
    thaw: () => void child.kill("SIGCONT"),
    async end() {
      child.kill("SIGTERM");
      await ended;
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
