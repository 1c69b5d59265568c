import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

export interface RuntimeEvent {
  readonly runId: string;
  readonly tool: string;
  readonly key: string;
  readonly at: number;
}

/**
 * The state that the tools of the crash tests change. It lives in the test process, which is never
 * killed, and tests judge by its record.
 */
export interface OutsideSimulator {
  readonly url: string;
  readonly runtimeEvents: readonly RuntimeEvent[];
  runtimeEventsOf(runId: string, tool: string): RuntimeEvent[];
  /** Every request that arrived, including those with a handle that no longer worked. */
  requestsOf(runId: string, tool: string): RuntimeEvent[];
  /** Delays each response by this time. The effect itself happens at once. */
  responseDelayMs: number;
  close(): Promise<void>;
}

export async function openOutsideSimulator(): Promise<OutsideSimulator> {
  const runtimeEvents: RuntimeEvent[] = [];
  const requests: RuntimeEvent[] = [];
  /** Handles that no longer work, like a deleted draft. */
  const burned = new Set<string>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://world");
    const runId = url.searchParams.get("run") ?? "";
    const tool = url.searchParams.get("tool") ?? "";
    const key = url.searchParams.get("key") ?? "";
    request.resume();
    const answer = (status: number, body: unknown, delayMs = 0) => {
      setTimeout(
        () =>
          response
            .writeHead(status, { "content-type": "application/json", connection: "close" })
            .end(JSON.stringify(body)),
        delayMs,
      );
    };
    if (url.pathname === "/do") {
      const runtimeEvent = { runId, tool, key, at: Date.now() };
      requests.push(runtimeEvent);
      if (burned.has(key)) return answer(410, { error: "gone" });
      runtimeEvents.push(runtimeEvent);
      return answer(
        200,
        {
          count: runtimeEvents.filter(
            (runtimeEvent) => runtimeEvent.runId === runId && runtimeEvent.tool === tool,
          ).length,
        },
        simulator.responseDelayMs,
      );
    }
    if (url.pathname === "/burn") {
      burned.add(key);
      return answer(200, { done: runtimeEvents.some((runtimeEvent) => runtimeEvent.key === key) });
    }
    answer(404, { error: "unknown path" });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const simulator: OutsideSimulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    runtimeEvents,
    responseDelayMs: 0,
    runtimeEventsOf: (runId, tool) =>
      runtimeEvents.filter(
        (runtimeEvent) => runtimeEvent.runId === runId && runtimeEvent.tool === tool,
      ),
    requestsOf: (runId, tool) =>
      requests.filter((request) => request.runId === runId && request.tool === tool),
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return simulator;
}
