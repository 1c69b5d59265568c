import { createServer } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";

interface ToolRequest {
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
  readonly executions: readonly ToolRequest[];
  executionsOf(runId: string, tool: string): ToolRequest[];
  /** Every request that arrived, including those with a handle that no longer worked. */
  requestsOf(runId: string, tool: string): ToolRequest[];
  /** Delays each response by this time. The effect itself happens at once. */
  responseDelayMs: number;
  close(): Promise<void>;
}

export async function openOutsideSimulator(): Promise<OutsideSimulator> {
  const executions: ToolRequest[] = [];
  const requests: ToolRequest[] = [];
  /** Handles that no longer work, like a deleted draft. */
  const burned = new Set<string>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "/", "http://world");
    const runId = url.searchParams.get("run") ?? "";
    const tool = url.searchParams.get("tool") ?? "";
    const key = url.searchParams.get("key") ?? "";
    request.resume();
    const respond = (status: number, body: unknown, delayMs = 0) => {
      setTimeout(
        () =>
          response
            .writeHead(status, { "content-type": "application/json", connection: "close" })
            .end(JSON.stringify(body)),
        delayMs,
      );
    };
    if (url.pathname === "/do") {
      const toolRequest = { runId, tool, key, at: Date.now() };
      requests.push(toolRequest);
      if (burned.has(key)) return respond(410, { error: "gone" });
      executions.push(toolRequest);
      return respond(
        200,
        {
          count: executions.filter(
            (toolRequest) => toolRequest.runId === runId && toolRequest.tool === tool,
          ).length,
        },
        simulator.responseDelayMs,
      );
    }
    if (url.pathname === "/burn") {
      burned.add(key);
      return respond(200, { done: executions.some((toolRequest) => toolRequest.key === key) });
    }
    respond(404, { error: "unknown path" });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const simulator: OutsideSimulator = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    executions,
    responseDelayMs: 0,
    executionsOf: (runId, tool) =>
      executions.filter((toolRequest) => toolRequest.runId === runId && toolRequest.tool === tool),
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
