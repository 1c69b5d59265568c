import { bronStatusOf, snippetOf, type ActionDetails, type ClientActionRow } from "@bron/core";
import {
  groupNameOf,
  type ActionView,
  type ApprovalView,
  type ArtifactView,
  type AuditView,
  type BronView,
  type ClientActionView,
  type EffectView,
  type MemoryEntry,
  type QuestionView,
  type RunOutcome,
  type RunStatus,
  type RunView,
  type ThreadView,
  type UploadView,
  type WaitsFor,
} from "@bron/protocol";
import type { Selectable } from "kysely";
import type { Database } from "../database/schema.ts";
import { waitsForOf } from "../runs/waits-for.ts";
import { resultColumnNames, toRunResult } from "./run-columns.ts";

/** Converts rows (snake_case) to views (camelCase). */

const viewColumns = [
  "id",
  "owner_id",
  "bron_id",
  "thread_id",
  "parent_run_id",
  "retry_of",
  "schedule_id",
  "due_at",
  "title",
  "prompt",
  "status",
  "cancel_requested_at",
  "runnable",
  "place",
  "summary",
  ...resultColumnNames,
  "error",
  "caps",
  "last_seq",
  "spent_microusd",
  "created_at",
  "started_at",
  "finished_at",
] as const satisfies readonly (keyof Database["runs"])[];

/**
 * The columns of a `RunRow` in a statement with a name. Such a statement must not say `*`: it fails
 * on open connections once a newer version has added a column.
 */
export const runColumns = (run: string) =>
  [...viewColumns.map((column) => `${run}.${column}`), `${waitsForOf(run)} as waits_for`].join(
    ", ",
  );

/** A run with what it waits for, which is computed when it is read. */
export type RunRow = Pick<Selectable<Database["runs"]>, (typeof viewColumns)[number]> & {
  readonly waits_for: WaitsFor | null;
};

export function toRunView(row: RunRow): RunView {
  return {
    id: row.id,
    ownerId: row.owner_id,
    bronId: row.bron_id,
    threadId: row.thread_id,
    parentRunId: row.parent_run_id,
    retryOf: row.retry_of,
    scheduleId: row.schedule_id,
    dueAt: row.due_at?.toISOString() ?? null,
    title: row.title,
    prompt: row.prompt,
    status: row.status,
    cancelRequested: row.cancel_requested_at !== null,
    runnable: row.runnable,
    waitsFor: row.waits_for,
    place: row.place,
    summary: row.summary,
    ...toRunResult(row),
    error: row.error,
    caps: row.caps,
    lastSeq: row.last_seq,
    spentMicrousd: row.spent_microusd,
    createdAt: row.created_at.toISOString(),
    startedAt: row.started_at?.toISOString() ?? null,
    finishedAt: row.finished_at?.toISOString() ?? null,
  };
}

/** A Bron with the run that determines its status. */
export type BronRow = Selectable<Database["brons"]> & {
  pending_approvals: number;
  last_activity_at: Date;
} & (
    | {
        run_id: string;
        run_title: string;
        run_status: RunStatus;
        run_not_done: number;
        run_outcome: RunOutcome | null;
        run_waits_for: WaitsFor | null;
        card: BronView["latestCard"];
        ended_lately: boolean | null;
      }
    | {
        run_id: null;
        run_title: null;
        run_status: null;
        run_not_done: null;
        run_outcome: null;
        card: null;
        ended_lately: null;
      }
  );

export function toBronView(row: BronRow): BronView {
  return {
    id: row.id,
    name: row.name,
    avatarColor: row.avatar_color,
    systemPrompt: row.system_prompt,
    personaSource: row.persona_source,
    memorySummary: row.memory_summary,
    memoryBefore: row.memory_before,
    memoryUpdatedAt: row.memory_updated_at?.toISOString() ?? null,
    memoryOn: row.memory_on,
    trustLevel: row.trust_level,
    tools: row.tools,
    model: row.model,
    skills: row.skills,
    maxCostMicrousd: row.max_cost_microusd,
    isDefault: row.is_default,
    archivedAt: row.archived_at?.toISOString() ?? null,
    status: bronStatusOf(row.run_status, row.ended_lately === true),
    latestRun:
      row.run_id === null
        ? null
        : {
            id: row.run_id,
            title: row.run_title,
            status: row.run_status,
            notDone: row.run_not_done,
            outcome: row.run_outcome,
            waitsFor: row.run_waits_for,
          },
    latestCard: row.card,
    pendingApprovals: row.pending_approvals,
    lastActivityAt: row.last_activity_at.toISOString(),
    createdAt: row.created_at.toISOString(),
  };
}

export function toMemoryEntry(row: Selectable<Database["memory_entries"]>): MemoryEntry {
  return {
    id: row.id,
    text: row.text,
    kind: row.kind,
    state: row.state,
    author: row.author,
    bronId: row.bron_id,
    source: row.source,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

/** A conversation with what its runs say about it. */
export interface ThreadRow {
  readonly id: string;
  readonly bron_id: string;
  readonly title: string;
  readonly run_count: number;
  readonly status: RunStatus;
  readonly run_id: string;
  readonly run_title: string;
  readonly not_done: number;
  readonly outcome: RunOutcome | null;
  readonly waits_for_owner: boolean;
  readonly waits_for: WaitsFor | null;
  readonly pending_count: number;
  readonly archived_at: Date | null;
  readonly pinned_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
  /** The texts of a run that was found. Null without a search. */
  readonly found_texts: readonly string[] | null;
}

export function toThreadView(row: ThreadRow, words: readonly string[] = []): ThreadView {
  return {
    id: row.id,
    title: row.title,
    bronId: row.bron_id,
    runCount: row.run_count,
    status: row.status,
    latestRun: {
      id: row.run_id,
      title: row.run_title,
      notDone: row.not_done,
      outcome: row.outcome,
    },
    waitsForOwner: row.waits_for_owner,
    waitsFor: row.waits_for,
    pendingCount: row.pending_count,
    archivedAt: row.archived_at?.toISOString() ?? null,
    pinnedAt: row.pinned_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
    snippet:
      row.found_texts === null
        ? null
        : snippetOf({ title: row.title, texts: row.found_texts }, words),
  };
}

export function toActionView(
  row: Selectable<Database["actions"]>,
  details: ActionDetails | undefined,
): ActionView {
  const { id, step, tool, state, error } = row;
  return {
    id,
    runId: row.run_id,
    step,
    tool,
    state,
    input: details?.input ?? null,
    output: details?.output ?? null,
    error,
    ...(details?.kept ? { kept: details.kept } : {}),
  };
}

export function toEffectView(row: Selectable<Database["effects"]>): EffectView {
  const { id, tool, state, digest, attempts, outcome } = row;
  const settled =
    row.settled_as === null || row.settled_at === null
      ? null
      : { as: row.settled_as, at: row.settled_at.toISOString(), note: row.settled_note };
  return {
    id,
    runId: row.run_id,
    actionId: row.action_id,
    tool,
    state,
    digest,
    attempts,
    deadlineAt: row.deadline_at?.toISOString() ?? null,
    outcome,
    settled,
    restoredAt: row.restored_at?.toISOString() ?? null,
    undoUntil: row.undo_until?.toISOString() ?? null,
  };
}

export function toAuditView(row: Selectable<Database["audit"]>): AuditView {
  const { id, what, by, tool, digest, details } = row;
  return {
    id,
    at: row.created_at.toISOString(),
    what,
    by,
    runId: row.run_id,
    actionId: row.action_id,
    effectId: row.effect_id,
    approvalId: row.approval_id,
    tool,
    digest,
    details,
  };
}

export function toApprovalView(
  row: Selectable<Database["approvals"]> & {
    prepared: ApprovalView["prepared"];
    step: number | null;
  },
): ApprovalView {
  const { id, tool, state, digest, reasons, preview, prepared, kind, risks, diff, reply } = row;
  return {
    id,
    tool,
    state,
    digest,
    reasons,
    preview,
    prepared,
    kind,
    risks,
    diff,
    reply,
    group: groupNameOf({ runId: row.run_id, step: row.step ?? undefined, kind, tool }),
    undoUntil: row.undo_until?.toISOString() ?? null,
    reopenUntil: row.reopen_until?.toISOString() ?? null,
    reopened: row.reopened,
    snoozedUntil: row.snoozed_until?.toISOString() ?? null,
    runId: row.run_id,
    actionId: row.action_id,
    effectId: row.effect_id,
    decisionReason: row.decision_reason,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    decidedAt: row.decided_at?.toISOString() ?? null,
  };
}

export function toQuestionView(row: Selectable<Database["questions"]>): QuestionView {
  const { id, state, text, choices, schema, default: byDefault, answer } = row;
  return {
    id,
    state,
    text,
    choices,
    schema,
    default: byDefault,
    answer,
    runId: row.run_id,
    actionId: row.action_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    answeredAt: row.answered_at?.toISOString() ?? null,
  };
}

export function toClientActionRow(row: Selectable<Database["client_actions"]>): ClientActionRow {
  const { id, tool, program, input, state } = row;
  return {
    id,
    tool,
    program,
    input,
    state,
    runId: row.run_id,
    createdAt: row.created_at.toISOString(),
    expiresAt: row.expires_at.toISOString(),
    takenAt: row.taken_at?.toISOString() ?? null,
    endedAt: row.ended_at?.toISOString() ?? null,
    secretHash: row.secret_hash,
    takenBy: row.taken_by,
  };
}

/** Without the hashes. */
export function toClientActionView(row: Selectable<Database["client_actions"]>): ClientActionView {
  const { secretHash: _, takenBy: __, ...view } = toClientActionRow(row);
  return view;
}

export function toArtifactView(row: Selectable<Database["artifacts"]>): ArtifactView {
  const { id, kind, name, digest, data } = row;
  return {
    id,
    runId: row.run_id,
    kind,
    name,
    mediaType: row.media_type,
    digest,
    sizeBytes: row.size_bytes,
    data,
    createdAt: row.created_at.toISOString(),
  };
}

export function toUploadView(row: Selectable<Database["uploads"]>): UploadView {
  const { id, filename, digest } = row;
  return {
    id,
    runId: row.run_id,
    filename,
    contentType: row.content_type,
    sizeBytes: row.size_bytes,
    digest,
    createdAt: row.created_at.toISOString(),
  };
}
