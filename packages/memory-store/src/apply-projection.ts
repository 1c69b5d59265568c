import type { Projection } from "@bron/core";
import { groupNameOf, type ApprovalView, type NewEvent } from "@bron/protocol";
import type { MemoryRun } from "./memory-run.ts";

/** Applies to an in-memory run what the append statement does to the tables. */
export function applyProjection(
  run: MemoryRun,
  events: readonly NewEvent[],
  projection: Projection,
  at: string,
): void {
  applyToRun(run, projection, at);
  applyToActions(run, projection, at);
  applyToEffects(run, projection, at);
  applyToApprovals(run, projection, at);
  applyToQuestions(run, projection, at);
  applyToClientActions(run, projection, at);
  applyClosings(run, events);
  for (const { artifactId: id, ...artifact } of projection.artifacts)
    run.artifacts.push({ id, runId: run.view.id, ...artifact, data: null, createdAt: at });
}

function applyToRun(run: MemoryRun, { run: changes }: Projection, at: string): void {
  const { card, inputTokens, cachedInputTokens, outputTokens, steps, ...shown } = changes;
  const { status = run.view.status } = shown;
  const running = status === "planning" || status === "executing";
  run.view = {
    ...run.view,
    ...shown,
    lastSeq: run.events.length,
    cancelRequested: run.view.cancelRequested || shown.cancelRequested === true,
    startedAt: run.view.startedAt ?? (running ? at : null),
  };
  run.card = card ?? run.card;
  run.inputTokens += inputTokens ?? 0;
  run.cachedInputTokens += cachedInputTokens ?? 0;
  run.outputTokens += outputTokens ?? 0;
  run.steps = steps ?? run.steps;
}

function applyToActions(run: MemoryRun, { newActions, actions }: Projection, at: string): void {
  for (const { id, step, tool, state, error } of newActions)
    run.actions.set(id, {
      view: {
        id,
        runId: run.view.id,
        step,
        tool,
        state,
        input: null,
        output: null,
        error: error ?? null,
      },
      createdAt: at,
    });
  for (const { id, ...change } of actions) {
    const action = run.actions.get(id);
    if (action) action.view = { ...action.view, ...change };
  }
}

function applyToEffects(run: MemoryRun, { newEffects, effects }: Projection, at: string): void {
  const deadline = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(Date.parse(at) + ms).toISOString();
  for (const { id, prepared } of newEffects) run.prepared.set(id, prepared);
  for (const { deadlineMs, undoUntil, prepared: _, error: _error, ...effect } of newEffects)
    run.effects.set(effect.id, {
      ...effect,
      runId: run.view.id,
      attempts: effect.attempts ?? 0,
      deadlineAt: deadline(deadlineMs) ?? null,
      outcome: effect.outcome ?? null,
      settled: null,
      restoredAt: null,
      undoUntil: undoUntil === undefined ? null : new Date(undoUntil).toISOString(),
    });
  for (const { id, state, attempts, deadlineMs, outcome } of effects) {
    const before = run.effects.get(id);
    if (before)
      run.effects.set(id, {
        ...before,
        state,
        attempts: attempts ?? before.attempts,
        deadlineAt: deadline(deadlineMs) ?? before.deadlineAt,
        outcome: outcome ?? before.outcome,
      });
  }
}

function applyToApprovals(
  run: MemoryRun,
  { newApprovals, approvals }: Projection,
  at: string,
): void {
  for (const { decisionReason, ...approval } of newApprovals)
    run.approvals.set(approval.id, {
      ...approval,
      runId: run.view.id,
      group: groupNameOf({
        ...approval,
        runId: run.view.id,
        step: run.actions.get(approval.actionId)?.view.step,
      }),
      prepared: run.prepared.get(approval.effectId) ?? null,
      decisionReason: decisionReason ?? null,
      reply: null,
      undoUntil: null,
      reopenUntil: null,
      reopened: 0,
      snoozedUntil: null,
      createdAt: at,
      decidedAt: null,
    });
  for (const { id, state, decisionReason } of approvals) {
    const before = run.approvals.get(id);
    if (before)
      run.approvals.set(id, {
        ...before,
        state,
        decisionReason: decisionReason ?? before.decisionReason,
        decidedAt: at,
      });
  }
}

function applyToQuestions(
  run: MemoryRun,
  { newQuestions, questions }: Projection,
  at: string,
): void {
  for (const { answer = null, choices, ...question } of newQuestions)
    run.questions.set(question.id, {
      ...question,
      choices: [...choices],
      runId: run.view.id,
      answer,
      createdAt: at,
      answeredAt: null,
    });
  for (const { id, state, answer = null } of questions) {
    const before = run.questions.get(id);
    if (before) run.questions.set(id, { ...before, state, answer, answeredAt: at });
  }
}

function applyToClientActions(
  run: MemoryRun,
  { newClientActions, clientActions }: Projection,
  at: string,
): void {
  for (const action of newClientActions)
    run.clientActions.set(action.id, {
      ...action,
      runId: run.view.id,
      takenBy: action.takenBy ?? null,
      createdAt: at,
      takenAt: null,
      endedAt: null,
    });
  for (const { id, ...change } of clientActions) {
    const before = run.clientActions.get(id);
    const time = change.state === "taken" ? { takenAt: at } : { endedAt: at };
    if (before) run.clientActions.set(id, { ...before, ...change, ...time });
  }
}

/** What only the event of a decision carries: the reply, the time for undo, and that it was undone. */
function applyClosings(run: MemoryRun, events: readonly NewEvent[]): void {
  for (const event of events) {
    if (event.type !== "approval") continue;
    const { approvalId, state, reply = null, undoUntil, expiresAt, undone = false } = event.payload;
    const approval = run.approvals.get(approvalId);
    if (!approval) continue;
    if (state === "pending") {
      if (event.payload.reopened) run.approvals.set(approvalId, reopened(approval));
      continue;
    }
    const { reopenUntil } = event.payload;
    const until = undoUntil === undefined ? null : new Date(undoUntil).toISOString();
    run.approvals.set(approvalId, {
      ...approval,
      reply,
      expiresAt: expiresAt ?? approval.expiresAt,
      undoUntil: undone ? approval.undoUntil : until,
      reopenUntil: reopenUntil === undefined ? null : new Date(reopenUntil).toISOString(),
    });
  }
}

function reopened(approval: ApprovalView): ApprovalView {
  return {
    ...approval,
    state: "pending",
    reopenUntil: null,
    reopened: approval.reopened + 1,
    decisionReason: null,
    decidedAt: null,
  };
}
