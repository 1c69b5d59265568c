import type { Runs } from "@bron/core";
import { omitUndefined, type ApprovalView } from "@bron/protocol";
import {
  approvalChoices,
  decideEach,
  findApproval,
  type ApprovalChoicesDeps,
} from "./approval-choices.ts";
import { editableOf } from "./editable.ts";
import { findApprovalToDecide } from "./find-approval-to-decide.ts";
import { findRun } from "./find-run.ts";
import { nextOf, programOf, type ServicesOf } from "./service.ts";

type ApprovalKeys =
  | "GET /api/approvals"
  | "GET /api/approvals/:id"
  | "GET /api/approvals/:id/background"
  | "POST /api/approvals/:id/approve"
  | "POST /api/approvals/:id/deny"
  | "POST /api/approvals/:id/edit"
  | "POST /api/approvals/:id/reply"
  | "POST /api/approvals/:id/undo"
  | "POST /api/approvals/:id/snooze"
  | "POST /api/approvals/batch"
  | "POST /api/runs/:id/approve-send";

export interface ApprovalServicesDeps extends ApprovalChoicesDeps {
  readonly runs: Pick<Runs, "get">;
}

/** A person is waiting, and can also decide without the background. */
const backgroundTimeoutMs = 10_000;

/** The owner's yes or no to effects. */
export function approvalServices(deps: ApprovalServicesDeps): ServicesOf<ApprovalKeys> {
  const { approvals, runs, tools } = deps;
  const { approve, deny, edit, reply } = approvalChoices(deps);
  const withEditable = (approval: ApprovalView): ApprovalView => {
    const editable = approval.state === "pending" ? editableOf(tools, approval) : undefined;
    return editable === undefined ? approval : { ...approval, editable };
  };
  return {
    async "GET /api/approvals"({ caller: { ownerId }, query: { pending, ...query } }) {
      const page = await approvals.list(ownerId, omitUndefined({ ...query, pendingOnly: pending }));
      return { approvals: page.map(withEditable), next: nextOf(page, query.limit) };
    },
    "GET /api/approvals/:id": async ({ caller: { ownerId }, params }) =>
      withEditable(await findApproval(approvals, ownerId, params.id)),
    async "GET /api/approvals/:id/background"({ caller: { ownerId }, params }) {
      const { state, tool, prepared } = await findApproval(approvals, ownerId, params.id);
      if (state !== "pending") return { background: null };
      const reader = { ownerId, signal: AbortSignal.timeout(backgroundTimeoutMs) };
      const background = await tools.get(tool)?.background?.(prepared, reader);
      return { background: background ?? null };
    },
    "POST /api/approvals/:id/approve": ({ caller: { ownerId }, params, body: { digest } }) =>
      approve(ownerId, { id: params.id, digest }),
    "POST /api/approvals/:id/deny": ({ caller: { ownerId }, params, body: { digest, reason } }) =>
      deny(ownerId, { id: params.id, digest }, reason),
    "POST /api/approvals/:id/edit": ({ caller, params, body: { digest, changes } }) =>
      edit(caller.ownerId, { id: params.id, digest }, { changes, program: programOf(caller) }),
    "POST /api/approvals/:id/reply": ({ caller, params, body: { digest, ...said } }) =>
      reply(caller.ownerId, { id: params.id, digest }, { ...said, program: programOf(caller) }),
    "POST /api/approvals/:id/undo": ({ caller: { ownerId }, params }) =>
      approvals.undo(ownerId, params.id),
    "POST /api/approvals/:id/snooze": ({ caller: { ownerId }, params, body: { until } }) =>
      approvals.snooze(ownerId, params.id, until === null ? undefined : Date.parse(until)),
    async "POST /api/approvals/batch"({ caller: { ownerId }, body }) {
      const approved = await decideEach(body.approve, (seen) => approve(ownerId, seen));
      const denied = await decideEach(body.deny, (seen) => deny(ownerId, seen, seen.reason));
      return { approve: approved, deny: denied };
    },
    async "POST /api/runs/:id/approve-send"({ caller: { ownerId }, params, body }) {
      const { id: runId } = await findRun(runs, ownerId, params.id);
      const seen = findApprovalToDecide(await approvals.list(ownerId, { runId }), body.digest);
      return body.approved ? await approve(ownerId, seen) : await deny(ownerId, seen, body.reason);
    },
  };
}
