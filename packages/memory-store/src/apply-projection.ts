import type { Projection } from "@bron/core";
import type { MemoryRun } from "./memory-run.ts";

/** Applies to an in-memory run what the append statement does to the tables. */
export function applyProjection(run: MemoryRun, projection: Projection, at: string): void {
  const runId = run.view.id;
  const {
    status = run.view.status,
    summary = run.view.summary,
    error = run.view.error,
    notDone = run.view.notDone,
  } = projection.run;
  const running = status === "planning" || status === "executing";
  run.view = {
    ...run.view,
    status,
    summary,
    notDone,
    error,
    lastSeq: run.events.length,
    cancelRequested: run.view.cancelRequested || projection.run.cancelRequested === true,
    startedAt: run.view.startedAt ?? (running ? at : null),
  };
  for (const { id, step, tool, state, error: failure } of projection.newActions)
    run.actions.set(id, {
      id,
      runId,
      step,
      tool,
      state,
      input: null,
      output: null,
      error: failure ?? null,
    });
  for (const { id, ...change } of projection.actions) {
    const before = run.actions.get(id);
    if (before) run.actions.set(id, { ...before, ...change });
  }
  const prepared = new Map(projection.newEffects.map((effect) => [effect.id, effect.prepared]));
  const deadline = (ms: number | undefined) =>
    ms === undefined ? undefined : new Date(Date.parse(at) + ms).toISOString();
  for (const {
    id,
    actionId,
    tool,
    state,
    digest,
    attempts,
    deadlineMs,
    outcome,
  } of projection.newEffects) {
    run.effects.set(id, {
      id,
      runId,
      actionId,
      tool,
      state,
      digest,
      attempts: attempts ?? 0,
      deadlineAt: deadline(deadlineMs) ?? null,
      outcome: outcome ?? null,
      settled: null,
    });
  }
  for (const { id, state, attempts, deadlineMs, outcome } of projection.effects) {
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
  for (const { decisionReason, ...approval } of projection.newApprovals) {
    run.approvals.set(approval.id, {
      ...approval,
      runId,
      prepared: prepared.get(approval.effectId) ?? null,
      decisionReason: decisionReason ?? null,
      answer: null,
      undoUntil: null,
      createdAt: at,
      decidedAt: null,
    });
  }
  for (const { id, state, decisionReason } of projection.approvals) {
    const before = run.approvals.get(id);
    if (before)
      run.approvals.set(id, {
        ...before,
        state,
        decisionReason: decisionReason ?? before.decisionReason,
        decidedAt: at,
      });
  }
  for (const { artifactId: id, kind, name, mediaType, digest, sizeBytes } of projection.artifacts)
    run.artifacts.push({
      id,
      runId,
      kind,
      name,
      mediaType,
      digest,
      sizeBytes,
      data: null,
      createdAt: at,
    });
}
