import { omitUndefined } from "@bron/protocol";
import type { Runtime } from "@bron/runtime";
import type { On } from "../register-endpoint.ts";

export function addApprovalRoutes(
  on: On,
  { runtime }: { readonly runtime: Pick<Runtime, "approvals" | "runs"> },
): void {
  on("GET /api/approvals", async ({ caller: { ownerId }, query: { pending, ...query } }) => {
    const approvals = await runtime.approvals.list(
      ownerId,
      omitUndefined({ ...query, pendingOnly: pending }),
    );
    return {
      approvals,
      next: approvals.length === query.limit ? (approvals.at(-1)?.id ?? null) : null,
    };
  });
  on("GET /api/approvals/:id", ({ caller: { ownerId }, params }) =>
    runtime.approvals.get(ownerId, params.id),
  );
  on("POST /api/approvals/:id/approve", ({ caller: { ownerId }, params, body }) =>
    runtime.approvals.approve(ownerId, params.id, body.digest),
  );
  on("POST /api/approvals/:id/deny", ({ caller: { ownerId }, params, body }) =>
    runtime.approvals.deny(ownerId, params.id, body.digest, body.reason),
  );
  on("POST /api/approvals/:id/edit", ({ caller: { ownerId }, params, body }) =>
    runtime.approvals.edit(ownerId, params.id, body.digest, body.changes),
  );
  on("POST /api/approvals/:id/reply", ({ caller: { ownerId }, params, body }) =>
    runtime.approvals.reply(ownerId, params.id, body.digest, body.words),
  );
  on("POST /api/approvals/:id/undo", ({ caller: { ownerId }, params }) =>
    runtime.approvals.undo(ownerId, params.id),
  );

  on("POST /api/approvals/batch", async ({ caller: { ownerId }, body }) => {
    const approve = await runtime.approvals.approveMany(ownerId, body.approve);
    return { approve, deny: await runtime.approvals.denyMany(ownerId, body.deny) };
  });

  on("POST /api/runs/:id/approve-send", async ({ caller: { ownerId }, params, body }) => {
    const { id } = await runtime.runs.get(ownerId, params.id);
    return await runtime.approvals.decideForRun(ownerId, id, body);
  });
}
