import type { ActionDetails } from "@bron/core";
import type { ActionView, ApprovalView, ArtifactView, AuditView, EffectView, RunView } from "@bron/protocol";
import type { Selectable } from "kysely";
import type { Database } from "./schema.ts";

/** Columns are snake_case, views camelCase: the one place where they meet. */

export function toRunView(row: Selectable<Database["runs"]>): RunView {
  return {
    id: row.id,
    ownerId: row.owner_id,
    bronId: row.bron_id,
    threadId: row.thread_id,
    parentRunId: row.parent_run_id,
    retryOf: row.retry_of,
    title: row.title,
    prompt: row.prompt,
    status: row.status,
    cancelRequested: row.cancel_requested_at !== null,
    runnable: row.runnable,
    summary: row.summary,
    error: row.error,
    caps: row.caps,
    lastSeq: row.last_seq,
    spentMicrousd: row.spent_microusd,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

export function toActionView(row: Selectable<Database["actions"]>, details: ActionDetails | undefined): ActionView {
  const { id, step, tool, state, error } = row;
  return { id, runId: row.run_id, step, tool, state, input: details?.input ?? null, output: details?.output ?? null, error };
}

export function toEffectView(row: Selectable<Database["effects"]>): EffectView {
  const { id, tool, state, digest, attempts, outcome } = row;
  const settled = row.settled_as === null || row.settled_at === null ? null : { as: row.settled_as, at: row.settled_at.toISOString(), note: row.settled_note };
  return { id, runId: row.run_id, actionId: row.action_id, tool, state, digest, attempts, deadlineAt: row.deadline_at?.toISOString() ?? null, outcome, settled };
}

export function toAuditView(row: Selectable<Database["audit"]>): AuditView {
  const { id, what, by, tool, digest, details } = row;
  return { id, at: row.created_at.toISOString(), what, by, runId: row.run_id, actionId: row.action_id, effectId: row.effect_id, approvalId: row.approval_id, tool, digest, details };
}

export function toApprovalView(row: Selectable<Database["approvals"]> & { prepared: ApprovalView["prepared"] }): ApprovalView {
  const { id, tool, state, digest, reason, preview, prepared, risks, difference, answer } = row;
  return {
    ...{ id, tool, state, digest, reason, preview, prepared, risks, difference, answer },
    undoUntil: row.undo_until?.toISOString() ?? null,
    runId: row.run_id,
    actionId: row.action_id,
    effectId: row.effect_id,
    decisionReason: row.decision_reason,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  };
}

export function toArtifactView(row: Selectable<Database["artifacts"]>): ArtifactView {
  const { id, kind, name, digest, data } = row;
  return { id, runId: row.run_id, kind, name, mediaType: row.media_type, digest, sizeBytes: row.size_bytes, data, createdAt: row.created_at.toISOString() };
}
