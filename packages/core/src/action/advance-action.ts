import { BronError } from "../errors.ts";
import { actionError } from "../tool/action-error.ts";
import type { Tool } from "../tool/tool.ts";
import { askQuestion, endAnswered } from "../question/ask-question.ts";
import { cancelAction } from "./cancel-action.ts";
import { endAction, endEffect, endInterrupted, endUnknown } from "./end-action.ts";
import { endClientAction, longResultOf } from "../client-action/end-client-action.ts";
import { endClosed, endDenied, endExpired, endUndone } from "../effect/end-unapproved.ts";
import type { MoveBuilder } from "../run/decide/move-builder.ts";
import { endWithKeptPage } from "../output/kept-pages.ts";
import { hasReadWords } from "../intent/read-words.ts";
import type { OpenAction, OpenEffect } from "../run/state/run-state.ts";
import { withSkills } from "../skill/run-skills.ts";
import { endUnavailable, whyUnavailable } from "../tool-set/unavailable-tool.ts";

/** How often a tool may start when its worker died each time. */
const maxStarts = 3;
/**
 * How often one attempt may be reconciled when the worker died each time. The limit is higher than
 * `maxStarts` because reconciling is short and its result is worth more than another start.
 */
const maxReconcileCalls = 20;

/** Takes the next step for an open action whose work is not in flight. */
export function advanceAction(builder: MoveBuilder, action: OpenAction): void {
  const { draft, facts } = builder;
  const tool = facts.tools.known.get(action.tool);
  // While a program may finish it, the action waits. The sweep expires it.
  if (action.client)
    return longResultOf(action, tool)
      ? builder.start({ kind: "keep_result", action })
      : endClientAction(draft, action, tool);
  if (action.state === "executing")
    return tool ? recover(builder, action, tool) : cancelAction(draft, action, undefined);
  if (endAnswered(builder, action) || endUnapproved(builder, action)) return;
  if (action.effect?.isUndone) return endUndone(draft, action);
  const error = whyUnavailable(action, tool, withSkills(facts.tools, draft.state(), facts.skills));
  if (error) return endUnavailable(draft, action, error, tool?.sideEffect === true);
  const isWaiting =
    action.question !== undefined || action.needsAuth !== undefined || action.awaits !== undefined;
  if (!tool || isWaiting) return;
  if (tool.questionOf) return askQuestion(builder, action, tool);
  if (action.state === "awaiting_confirmation") return applyApproval(builder, action, tool);
  if (!tool.sideEffect) return startAction(builder, action, tool);
  if (!action.effect) return startPrepare(builder, action, tool);
  const { approval } = action.effect;
  // A failed attempt used this approval. It allows another attempt, but only until it expires.
  if (approval && facts.now >= approval.expiresAt) return endExpired(draft, action, "used");
  const startsAt = Math.max(action.effect.retryAt, action.effect.undoUntil);
  if (facts.now < startsAt) return builder.waitUntil(startsAt);
  return startAction(builder, action, tool);
}

function startPrepare(builder: MoveBuilder, action: OpenAction, tool: Tool): void {
  if (endWithKeptPage(builder, action, tool)) return;
  // The words may forbid to open a page, also before text of others is in view.
  if (tool.effectKind === undefined || hasReadWords(builder))
    builder.start({ kind: "prepare", action });
}

function startAction(builder: MoveBuilder, action: OpenAction, tool: Tool): void {
  if (!hasRoom(builder, tool)) return;
  const { draft } = builder;
  const attempt = action.attempts + 1;
  draft.running("executing");
  if (action.effect) {
    const { effect } = action;
    if (effect.approval && effect.approval.state !== "approved" && effect.approval.state !== "used")
      throw new BronError("internal", "An attempt has no approval");
    if (effect.approval?.state === "approved") builder.consume(effect.approval.id);
    draft.emit({
      type: "effect",
      payload: {
        effectId: effect.id,
        actionId: action.id,
        tool: tool.name,
        state: "attempting",
        digest: effect.digest,
        attempt,
        deadlineMs: tool.timeoutMs,
      },
    });
  }
  draft.emit({
    type: "tool",
    payload: { phase: "start", actionId: action.id, name: tool.name, attempt },
  });
  builder.start({ kind: action.effect ? "attempt" : "read", action, attempt });
}

/** Whether this tool may start beside the running ones. */
function hasRoom({ draft, facts, isBusy }: MoveBuilder, tool: Tool): boolean {
  const running = [...draft.state().open.values()].filter(
    ({ id, state, client }) => state === "executing" && (isBusy(id) || client !== undefined),
  );
  return (
    running.length === 0 ||
    (tool.parallelSafe &&
      running.every((action) => facts.tools.known.get(action.tool)?.parallelSafe === true))
  );
}

/** Continues an action whose worker died, or whose attempt ended without a clear result. */
function recover(builder: MoveBuilder, action: OpenAction, tool: Tool): void {
  const { draft, facts } = builder;
  // A client action that no program could take has not started.
  const hasNotStarted = tool.client !== undefined;
  if (action.effect && !hasNotStarted) return startReconcile(builder, action, action.effect);
  if (tool.repeatable || hasNotStarted) {
    const unavailable = whyUnavailable(
      action,
      tool,
      withSkills(facts.tools, draft.state(), facts.skills),
    );
    if (!unavailable && action.attempts < maxStarts) return startAction(builder, action, tool);
    const error = unavailable ?? actionError("tool_failed", { code: "crashed", times: maxStarts });
    return action.effect
      ? endEffect(draft, action, "failed", { error })
      : endAction(draft, action, { state: "failed", error });
  }
  if (tool.reconcile) return builder.start({ kind: "reconcile", action });
  return endInterrupted(draft, action);
}

/** Reconciles only after the deadline, when no part of the attempt can still be running. */
export function startReconcile(builder: MoveBuilder, action: OpenAction, effect: OpenEffect): void {
  const { draft, facts } = builder;
  if (facts.now < effect.deadline) return builder.waitUntil(effect.deadline);
  if (effect.looks >= maxReconcileCalls) return endUnknown(draft, action, effect);
  draft.emit({
    type: "effect",
    payload: {
      effectId: effect.id,
      actionId: action.id,
      tool: action.tool,
      state: "attempting",
      digest: effect.digest,
      look: effect.looks + 1,
    },
  });
  builder.start({ kind: "reconcile", action });
}

/** Ends an action whose approval allows nothing. Returns whether it has ended. */
function endUnapproved({ draft, facts }: MoveBuilder, action: OpenAction): boolean {
  const { effect } = action;
  const approval = effect?.approval;
  if (!approval || action.state !== "awaiting_confirmation") return false;
  if (approval.state === "denied") {
    if (facts.now < approval.reopenUntil) return false;
    endDenied(draft, action, approval);
  } else if (approval.state === "expired") endExpired(draft, action, "decided");
  else if (approval.edit) return false;
  else if (approval.state === "superseded" || approval.state === "canceled")
    endClosed(draft, action, approval.state);
  else if (approval.state === "approved" && facts.now >= approval.expiresAt) {
    draft.emit({
      type: "approval",
      payload: {
        approvalId: approval.id,
        actionId: action.id,
        effectId: effect.id,
        tool: action.tool,
        digest: effect.digest,
        state: "expired",
      },
    });
    endExpired(draft, action, "used");
  } else return false;
  return true;
}

function applyApproval(builder: MoveBuilder, action: OpenAction, tool: Tool): void {
  const { draft, facts } = builder;
  const { effect } = action;
  const approval = effect?.approval;
  if (!effect || !approval) return;
  if (approval.edit) return prepareEditedEffect(builder, action, effect);
  if (approval.state !== "approved" && approval.state !== "denied") return;
  // The owner can still undo the decision. The run counts as running meanwhile, unless another
  // approval is pending.
  const waitUntil = approval.state === "approved" ? approval.undoUntil : approval.reopenUntil;
  if (facts.now < waitUntil) {
    if (
      ![...draft.state().open.values()].some(
        ({ effect: other }) => other?.approval?.state === "pending",
      )
    )
      draft.running("executing");
    return builder.waitUntil(waitUntil);
  }
  startAction(builder, action, tool);
}

/** Closes the edited effect in the ledger, then lets the tool prepare its replacement. */
function prepareEditedEffect(
  { draft, start }: MoveBuilder,
  action: OpenAction,
  { id, digest }: OpenEffect,
): void {
  draft.running("executing");
  draft.emit({
    type: "effect",
    payload: {
      effectId: id,
      actionId: action.id,
      tool: action.tool,
      state: "superseded",
      digest,
    },
  });
  const edited = draft.state().open.get(action.id);
  if (edited) start({ kind: "prepare", action: edited });
}
