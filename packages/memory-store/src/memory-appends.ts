import { auditEntries, project, type Wake } from "@bron/core";
import { isTerminal, type ApprovalView, type NewEvent } from "@bron/protocol";
import { applyProjection } from "./apply-projection.ts";
import type { MemoryRun } from "./memory-run.ts";
import { stamp, type MemoryState } from "./memory-state.ts";

/** Writes events with their projections and audit entries. Returns when they were created. */
export function writeEvents(
  state: MemoryState,
  run: MemoryRun,
  events: readonly NewEvent[],
  consume: readonly string[] = [],
): string {
  const createdAt = stamp(state);
  recordEvents(state, run, events, consume);
  for (const event of events)
    run.events.push({
      ...structuredClone(event),
      runId: run.view.id,
      seq: run.events.length + 1,
      createdAt,
    });
  const projection = project(events);
  applyProjection(run, projection, createdAt);
  for (const message of projection.messages)
    state.threads.get(run.view.threadId)?.messages.push({ ...message, runId: run.view.id });
  return createdAt;
}

/** Writes only the audit entries of events. */
export function recordEvents(
  { audit }: MemoryState,
  run: MemoryRun,
  events: readonly NewEvent[],
  consume: readonly string[] = [],
): void {
  const entries = auditEntries(events, consume).map((entry) => {
    const used =
      entry.what === "approval.used" ? run.approvals.get(entry.approvalId ?? "") : undefined;
    return { ...entry, runId: run.view.id, ...(used && detailsOf(used)) };
  });
  audit.add(run.view.ownerId, entries);
}

const detailsOf = ({ actionId, effectId, tool, digest }: ApprovalView) => ({
  actionId,
  effectId,
  tool,
  digest,
});

export function wakeRun({ now, waker }: MemoryState, run: MemoryRun, delayMs = 0): void {
  const wake: Wake = {
    runId: run.view.id,
    ownerId: run.view.ownerId,
    wake: run.wakes,
    delayMs,
    held: run.lease !== undefined && run.lease.until >= now(),
  };
  const here = !wake.held && delayMs === 0 && waker?.takesHere() === true;
  queueMicrotask(() => waker?.committed(wake, here));
}

/** Returns false and writes nothing if the run has finished. */
export function appendAndWake(
  state: MemoryState,
  run: MemoryRun,
  events: readonly NewEvent[],
): boolean {
  if (isTerminal(run.view.status)) return false;
  writeEvents(state, run, events);
  run.runnable = true;
  run.view = { ...run.view, runnable: true };
  run.wakes++;
  wakeRun(state, run);
  return true;
}
