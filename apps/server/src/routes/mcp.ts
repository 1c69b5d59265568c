import { requestError } from "@bron/core";
import { handleMcpRequest } from "@bron/mcp";
import { requireScope, type Runtime } from "@bron/runtime";
import type { Rates } from "../access/rates.ts";
import type { On } from "../register-endpoint.ts";

interface McpRoutesDeps {
  readonly runtime: Pick<Runtime, "clientFor">;
  readonly rates: Rates;
  readonly version: string;
  readonly onProblem: (message: string, error: unknown) => void;
}

/** How many calls of one owner may wait for a task at the same time. */
const maxWaiting = 20;

/** Bron as an MCP server. What a token may do here is what it may do on the other routes. */
export function addMcpRoutes(on: On, { runtime, rates, version, onProblem }: McpRoutesDeps): void {
  const waiting = new Map<string, number>();
  on("POST /mcp", async ({ caller, body, c }) => {
    // A page could make a browser send its cookie, and no MCP client needs one.
    if (caller.via !== "token") throw requestError("forbidden", { code: "token_only" });
    const { ownerId } = caller;
    const { incoming } = c.env;
    const count = waiting.get(ownerId) ?? 0;
    if (count >= maxWaiting) throw requestError("rate_limited", { code: "too_many_calls" });
    waiting.set(ownerId, count + 1);
    try {
      return await handleMcpRequest(c.req.raw, body, {
        client: runtime.clientFor(caller),
        version,
        signal: c.req.raw.signal,
        onProblem,
        async beforeCall(tool) {
          if (tool !== "start_task") return;
          requireScope("run", caller);
          await rates.take({ name: "createRun", ownerId, incoming });
        },
      });
    } finally {
      const left = (waiting.get(ownerId) ?? 1) - 1;
      if (left === 0) waiting.delete(ownerId);
      else waiting.set(ownerId, left);
    }
  });
}
