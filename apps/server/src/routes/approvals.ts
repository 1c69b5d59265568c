import { omitUndefined } from "@bron/protocol";
import type { Bron } from "bron";
import type { On } from "../door.ts";

export function addApprovalRoutes(
  on: On,
  { bron }: { readonly bron: Pick<Bron, "approvals" | "runs"> },
): void {
  on("GET /api/approvals", async ({ caller: { ownerId }, query: { pending, ...query } }) => {
    const approvals = await bron.approvals.list(
      ownerId,
      omitUndefined({ ...query, pendingOnly: pending }),
    );
    return {
      approvals,
      next: approvals.length === query.limit ? (approvals.at(-1)?.id ?? null) : null,
    };
  });
  on("GET /api/approvals/:id", ({ caller: { ownerId }, params }) =>
    bron.approvals.get(ownerId, params.id),
  );
  on("POST /api/approvals/:id/approve", ({ caller: { ownerId }, params, body }) =>
    bron.approvals.approve(ownerId, params.id, body.digest),
  );
  on("POST /api/approvals/:id/deny", ({ caller: { ownerId }, params, body }) =>
    bron.approvals.deny(ownerId, params.id, body.digest, body.reason),
  );
  on("POST /api/approvals/:id/edit", ({ caller: { ownerId }, params, body }) =>
    bron.approvals.edit(ownerId, params.id, body.digest, body.changes),
  );
  on("POST /api/approvals/:id/answer", ({ caller: { ownerId }, params, body }) =>
    bron.approvals.answer(ownerId, params.id, body.digest, body.words),
  );
  on("POST /api/approvals/:id/undo", ({ caller: { ownerId }, params }) =>
    bron.approvals.undo(ownerId, params.id),
  );

  on("POST /api/approvals/batch", async ({ caller: { ownerId }, body }) => {
    const approve = await bron.approvals.approveMany(ownerId, body.approve);
    return { approve, deny: await bron.approvals.denyMany(ownerId, body.deny) };
  });

  on("POST /api/runs/:id/approve-send", async ({ caller: { ownerId }, params, body }) => {
    const { id } = await bron.runs.get(ownerId, params.id);
    return await bron.approvals.decideOfRun(ownerId, id, body);
  });
}
