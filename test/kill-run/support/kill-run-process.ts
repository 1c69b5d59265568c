// One process of the kill run: a worker, or a server that includes a worker. Its orders are JSON in
// argv[2].
import { randomUUID } from "node:crypto";
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as sleep } from "node:timers/promises";
import { googleConnector, type GoogleConnectorOptions } from "@bron/connectors";
import { scriptedLanguageModel } from "@bron/testing";
import { createRuntime } from "@bron/runtime";
import { crashScripts } from "../../mail/support/crash-scripts.ts";
import { noServerLimits } from "../../support/http/no-server-limits.ts";

export interface KillRunOrders {
  readonly databaseUrl: string;
  readonly secretKey: string;
  readonly google: GoogleConnectorOptions;
  /**
   * Also serves the HTTP API for this owner. The port never changes, so that clients find it again.
   */
  readonly serve?: { readonly ownerId: string; readonly port: number };
}

const orders = JSON.parse(process.argv[2] ?? "{}") as KillRunOrders;
const print = (message: object) => writeSync(1, `${JSON.stringify(message)}\n`);

const runtime = await createRuntime({
  databaseUrl: orders.databaseUrl,
  secretKey: orders.secretKey,
  model: {
    model: scriptedLanguageModel(crashScripts.mail),
    name: "scripted",
    maxOutputTokens: 1_000,
  },
  connectors: [googleConnector(orders.google)],
  work: "sweep",
});
if (orders.serve) {
  const { createServer } = await import("@bron/server");
  const { ownerId, port } = orders.serve;
  const server = await createServer({
    ...noServerLimits,
    runtime,
    ownerId,
    host: "127.0.0.1",
    port,
    serverId: randomUUID(),
    onProblem: () => undefined,
  });
  print({ url: server.url, signIn: server.signInLink() });
}
flushCompileCache();
print({ ready: runtime.workerName });

// Runs until it is killed, or until the parent process is gone.
const parent = process.ppid;
while (process.ppid === parent) await sleep(250);
process.exit(0);
