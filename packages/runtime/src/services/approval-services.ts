import { omitUndefined } from "@bron/protocol";
import type { Runtime } from "../runtime.ts";
import { nextOf, type ServicesOf } from "./service.ts";

type ApprovalKeys =
  | "GET /api/approvals"
  | "GET /api/approvals/:id"
  | "POST /api/approvals/:id/approve"
  | "POST /api/approvals/:id/deny"
  | "POST /api/approvals/:id/edit"
  | "POST /api/approvals/:id/reply"
  | "POST /api/approvals/:id/undo"
  | "POST /api/approvals/batch"
  | "POST /api/runs/:id/approve-send";

export function approvalServices({
  approvals,
  runs,
}: Pick<Runtime, "approvals" | "runs">): ServicesOf<ApprovalKeys> {
  return {
    async "GET /api/approvals"({ caller: { ownerId }, query: { pending, ...query } }) {
      const page = await approvals.list(ownerId, omitUndefined({ ...query, pendingOnly: pending }));
      return { approvals: page, next: nextOf(page, query.limit) };
    },
    "GET /api/approvals/:id": ({ caller: { ownerId }, params }) =>
      approvals.get(ownerId, params.id),
    "POST /api/approvals/:id/approve": ({ caller: { ownerId }, params, body }) =>
      approvals.approve(ownerId, params.id, body.digest),
    "POST /api/approvals/:id/deny": ({ caller: { ownerId }, params, body }) =>
      approvals.deny(ownerId, params.id, body.digest, body.reason),
    "POST /api/approvals/:id/edit": ({ caller: { ownerId }, params, body }) =>
      approvals.edit(ownerId, params.id, body.digest, body.changes),
    "POST /api/approvals/:id/reply": ({ caller: { ownerId }, params, body }) =>
      approvals.reply(ownerId, params.id, body.digest, body.words),
    "POST /api/approvals/:id/undo": ({ caller: { ownerId }, params }) =>
      approvals.undo(ownerId, params.id),
    async "POST /api/approvals/batch"({ caller: { ownerId }, body }) {
      const approve = await approvals.approveMany(ownerId, body.approve);
      return { approve, deny: await approvals.denyMany(ownerId, body.deny) };
    },
    async "POST /api/runs/:id/approve-send"({ caller: { ownerId }, params, body }) {
      const { id } = await runs.get(ownerId, params.id);
      return await approvals.decideForRun(ownerId, id, body);
    },
  };
}
