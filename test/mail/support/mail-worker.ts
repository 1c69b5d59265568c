// A worker with the connectors of Google and Slack in its own process, which dies or freezes at a given point. Its
// orders are JSON in argv[2]. A line on its standard input makes it decide the approvals of its own
// run.
import diagnostics from "node:diagnostics_channel";
import { writeSync } from "node:fs";
import type { ClientRequest } from "node:http";
import { flushCompileCache } from "node:module";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { googleConnector, slackConnector, type GoogleConnectorOptions } from "@bron/connectors";
import { scriptedLanguageModel, storeWithFaults, toolWithFaults, type Hit } from "@bron/testing";
import { createRuntime } from "@bron/runtime";
import { googleCallName } from "./google-call-name.ts";
import { decideApproval } from "./decide-approval.ts";
import { crashReaders, crashScripts, type CrashTask } from "./crash-scripts.ts";

export interface MailWorkerOrders {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly google: GoogleConnectorOptions;
  readonly slack: Parameters<typeof slackConnector>[0];
  readonly task: CrashTask;
  readonly work: "sweep" | "own";
  readonly leaseMs: number;
  readonly fault?: {
    readonly point: string;
    readonly occurrence: number;
    readonly how: "kill" | "freeze";
  };
  /** Print every point that is passed. */
  readonly printHits?: boolean;
  readonly create?: { readonly ownerId: string; readonly prompt: string };
}

const orders = JSON.parse(process.argv[2] ?? "{}") as MailWorkerOrders;
const print = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`);

const hits = new Map<string, number>();
const hit: Hit = (point) => {
  const count = (hits.get(point) ?? 0) + 1;
  hits.set(point, count);
  if (orders.printHits === true) print({ hit: point, occurrence: count });
  const { fault } = orders;
  if (fault?.point !== point || fault.occurrence !== count) return;
  print({ faulted: point });
  process.kill(process.pid, fault.how === "kill" ? "SIGKILL" : "SIGSTOP");
};

// The moments around each call to Google. Node reports them from inside the HTTP client, which
// cannot be wrapped.
const around = (channel: string, side: string) =>
  diagnostics.subscribe(channel, (message) => {
    const { request } = message as { request: ClientRequest };
    const name = googleCallName(request.method, request.path);
    if (name !== undefined) void hit(`${name}:${side}`);
  });
around("http.client.request.created", "before");
around("http.client.response.finish", "after");

// Slack's client uses fetch, which has channels of its own.
const aroundFetch = (channel: string, side: string) =>
  diagnostics.subscribe(channel, (message) => {
    const { request } = message as { request: { readonly path: string } };
    const [, method] = /\/slack\/api\/([\w.]+)$/.exec(request.path) ?? [];
    if (method !== undefined) void hit(`slack ${method}:${side}`);
  });
aroundFetch("undici:request:create", "before");
aroundFetch("undici:request:trailers", "after");

const runtime = await createRuntime({
  databaseUrl: orders.databaseUrl,
  secretKey: orders.secretKey,
  model: {
    model: scriptedLanguageModel(crashScripts[orders.task], crashReaders[orders.task]),
    name: "scripted",
    maxOutputTokens: 1_000,
  },
  connectors: [googleConnector(orders.google), slackConnector(orders.slack)].map(
    (connect) => (deps) => {
      const connector = connect(deps);
      return { ...connector, tools: connector.tools.map((tool) => toolWithFaults(tool, hit)) };
    },
  ),
  work: orders.work,
  engine: { leaseMs: orders.leaseMs, sweepMs: 200 },
  wrap: (store) => storeWithFaults(store, hit),
  onProblem: (message) => print({ problem: message }),
});
process.on("SIGTERM", () => void runtime.close().then(() => process.exit(0)));
// Flush now, because a killed process cannot flush on exit.
flushCompileCache();
print({ ready: runtime.workerName });
if (orders.create) {
  const { ownerId, prompt } = orders.create;
  const { id: runId } = await runtime
    .clientFor(ownerId)
    .call("POST /api/runs", { body: { prompt } });
  print({ created: runId });
  createInterface({ input: process.stdin }).on("line", () => void decide(ownerId, runId));
}

async function decide(ownerId: string, runId: string): Promise<void> {
  const client = runtime.clientFor(ownerId);
  for (const approval of await client.list("GET /api/approvals", { runId, pending: "true" }))
    await decideApproval(client, orders.task, approval);
}

// Runs until SIGTERM, or until the parent process is gone.
const parent = process.ppid;
while (process.ppid === parent) await sleep(250);
process.exit(0);
