import type { JsonObject } from "@bron/protocol";
import type { PendingToolCall } from "../wire.ts";
import type { OpenApproval, OpenedExchange } from "./exchange-options.ts";

type Opened = Pick<OpenedExchange, "runtime" | "options">;

/** The calls that the page has to carry out, oldest first. */
export async function openCalls(
  { runtime, options }: Opened,
  runId: string,
): Promise<readonly PendingToolCall[]> {
  const client = runtime.clientFor(options.visitor);
  const actions = await client.list("GET /api/client-actions", { runId, open: "true" });
  return actions.map(({ id, tool, input }) => ({
    id,
    name: tool,
    args: input as JsonObject,
    category: "page-automation",
  }));
}

/** The changes on the server that wait for the visitor. */
export async function openApprovals(
  { runtime, options }: Opened,
  runId: string,
): Promise<readonly OpenApproval[]> {
  const client = runtime.clientFor(options.visitor);
  const approvals = await client.list("GET /api/approvals", { runId, pending: "true" });
  return approvals.map(({ id, preview, digest }) => ({ id, preview, digest }));
}
