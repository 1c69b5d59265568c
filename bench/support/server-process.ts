// The HTTP API over a runtime, as `bron start` has it, with or without a worker. Its orders are
// JSON in argv[2].
import { omitUndefined } from "@bron/protocol";
import { noServerLimits } from "../../test/support/http/no-server-limits.ts";
import { createServer } from "@bron/server";
import type { PostgresRuntimeOptions } from "@bron/runtime";
import { openBenchRuntime, ownerId } from "./bron-subject.ts";
import { serveCalls } from "./remote-calls.ts";
import type { SubjectOrders } from "./subject.ts";

export interface ServerCalls {
  /** The server's URL, and a link that signs in once. */
  address(): Promise<{ readonly url: string; readonly signInLink: string }>;
  /** When the model was last called, in epoch milliseconds. */
  lastModelCall(): Promise<number>;
  /** Memory in use, after a garbage collection if this process may request one. */
  memory(): Promise<number>;
  close(): Promise<void>;
}

const { work, webRoot, ...orders } = JSON.parse(process.argv[2] ?? "{}") as SubjectOrders & {
  readonly work: NonNullable<PostgresRuntimeOptions["work"]>;
  readonly webRoot?: string;
};
const { runtime, last } = await openBenchRuntime(orders, { work });
const server = await createServer({
  ...noServerLimits,
  runtime,
  ownerId,
  host: "127.0.0.1",
  port: 0,
  serverId: "bench",
  ...omitUndefined({ webRoot }),
});
const calls: ServerCalls = {
  address: () => Promise.resolve({ url: server.url, signInLink: server.signInLink() }),
  lastModelCall: () => Promise.resolve(performance.timeOrigin + last.modelCall),
  memory() {
    globalThis.gc?.();
    return Promise.resolve(process.memoryUsage().rss);
  },
  async close() {
    await server.close();
    await runtime.close();
  },
};
serveCalls(calls);
