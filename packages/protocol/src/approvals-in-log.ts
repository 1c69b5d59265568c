import { groupNameOf } from "./approval-group.ts";
import { omitUndefined } from "./omit-undefined.ts";
import type { ApprovalView, EffectView } from "./run.ts";
import type { EventView } from "./wire.ts";

/** What the log of a run says about an approval, and about the effect that it allows. */
export interface LoggedApproval {
  readonly approval: ApprovalView;
  readonly effectState: EffectView["state"];
}

/** The approvals of a run, and the forms of the effects that they are about, by id. */
export interface ApprovalsInLog {
  readonly approvals: ReadonlyMap<string, LoggedApproval>;
  readonly forms: ReadonlyMap<string, Form>;
  /** The latest step. No step starts before all effects of the one before it have ended. */
  readonly step: number | undefined;
}

type Form = Pick<ApprovalView, "prepared" | "editable">;
type EffectEvent = Extract<EventView, { type: "effect" }>;
type ApprovalEvent = Extract<EventView, { type: "approval" }>;

export const noApprovals: ApprovalsInLog = {
  approvals: new Map(),
  forms: new Map(),
  step: undefined,
};

/**
 * Derives what `GET /api/approvals/:id` returns. Values are not escaped, because the owner may edit
 * them.
 */
export function applyToApprovals(before: ApprovalsInLog, event: EventView): ApprovalsInLog {
  if (event.type === "step") return { ...before, step: event.payload.step };
  if (event.type === "effect") return applyEffect(before, event);
  if (event.type === "approval")
    return event.payload.state !== "pending"
      ? close(before, event)
      : event.payload.reopened
        ? reopen(before, event)
        : ask(before, event);
  return before;
}

/** The effect with its form precedes the approval in the log. */
function applyEffect(before: ApprovalsInLog, { payload }: EffectEvent): ApprovalsInLog {
  const { effectId, state, prepared, editable } = payload;
  if (prepared !== undefined && state === "awaiting_confirmation") {
    const form = { prepared, ...omitUndefined({ editable }) };
    return { ...before, forms: new Map(before.forms).set(effectId, form) };
  }
  for (const [id, { approval }] of before.approvals)
    if (approval.effectId === effectId) {
      const isUsed = state === "attempting" && approval.state === "approved";
      return put(before, id, {
        approval: isUsed ? { ...approval, state: "used" } : approval,
        effectState: state,
      });
    }
  return before;
}

/** An approval of an old log, whose effect has no form, is not among them. */
function ask(before: ApprovalsInLog, { runId, createdAt, payload }: ApprovalEvent): ApprovalsInLog {
  const { approvalId: id, actionId, effectId, tool, digest, expiresAt } = payload;
  const form = before.forms.get(effectId);
  if (!form || expiresAt === undefined) return before;
  const approval: ApprovalView = {
    id,
    runId,
    actionId,
    effectId,
    tool,
    digest,
    state: "pending",
    reasons: payload.reasons ?? [],
    preview: payload.preview ?? "",
    kind: payload.kind ?? null,
    group: groupNameOf({ runId, step: before.step, kind: payload.kind ?? null, tool }),
    risks: payload.risks ?? [],
    diff: payload.diff ?? [],
    ...form,
    reply: null,
    undoUntil: null,
    reopenUntil: null,
    reopened: 0,
    snoozedUntil: null,
    decisionReason: null,
    createdAt,
    expiresAt,
    decidedAt: null,
  };
  return put(before, id, { approval, effectState: "awaiting_confirmation" });
}

function close(before: ApprovalsInLog, { createdAt, payload }: ApprovalEvent): ApprovalsInLog {
  const known = before.approvals.get(payload.approvalId);
  if (!known) return before;
  // What is closed can no longer be edited.
  const { editable: _, ...approval } = known.approval;
  const { state, reason, reply, undoUntil, reopenUntil, expiresAt } = payload;
  return put(before, approval.id, {
    ...known,
    approval: {
      ...approval,
      state,
      reply: reply ?? approval.reply,
      decisionReason: reason ?? approval.decisionReason,
      undoUntil: undoUntil === undefined ? approval.undoUntil : new Date(undoUntil).toISOString(),
      reopenUntil: reopenUntil === undefined ? null : new Date(reopenUntil).toISOString(),
      expiresAt: expiresAt ?? approval.expiresAt,
      decidedAt: createdAt,
    },
  });
}

/** The owner undid the denial. The approval is as it was before, apart from its expiry. */
function reopen(before: ApprovalsInLog, { payload }: ApprovalEvent): ApprovalsInLog {
  const known = before.approvals.get(payload.approvalId);
  if (!known) return before;
  const { approval } = known;
  return put(before, approval.id, {
    ...known,
    approval: {
      ...approval,
      ...before.forms.get(approval.effectId),
      state: "pending",
      reopenUntil: null,
      reopened: approval.reopened + 1,
      decisionReason: null,
      decidedAt: null,
    },
  });
}

function put(before: ApprovalsInLog, id: string, logged: LoggedApproval): ApprovalsInLog {
  return { ...before, approvals: new Map(before.approvals).set(id, logged) };
}

const progress = (state: ApprovalView["state"]) =>
  state === "pending" ? 0 : state === "approved" ? 1 : 2;

/** A decision of this page may be known before it is in the log, and the other way round. */
export function newerApproval(
  logged: ApprovalView | undefined,
  read: ApprovalView | undefined,
): ApprovalView | undefined {
  if (!logged || !read) return logged ?? read;
  if (read.reopened !== logged.reopened) return read.reopened > logged.reopened ? read : logged;
  return progress(read.state) > progress(logged.state) ? read : logged;
}
