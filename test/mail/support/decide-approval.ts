import type { Client } from "@bron/client";
import type { CrashTask } from "./crash-scripts.ts";

/**
 * Approves an effect of the task. The task "unasked" denies it instead, because its mail must leave
 * without an approval. Does nothing if it was decided already: after a worker was frozen, the test
 * may be first.
 */
export async function decideApproval(
  client: Client,
  task: CrashTask,
  { id, digest }: { readonly id: string; readonly digest: string },
): Promise<void> {
  const params = { id };
  await (
    task === "unasked"
      ? client.call("POST /api/approvals/:id/deny", { params, body: { digest } })
      : client.call("POST /api/approvals/:id/approve", { params, body: { digest } })
  ).catch(() => undefined);
}
