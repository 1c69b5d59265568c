import { auditEntries, project, type Wake } from "@bron/core";
import { isTerminal, type ApprovalView, type NewEvent, type RunEvent } from "@bron/protocol";
import { applyProjection } from "./apply-projection.ts";
import { applySummaries } from "./apply-summaries.ts";
import { makeRoom } from "./memory-room.ts";
import type { MemoryRun } from "./memory-run.ts";
import { nextMessageId, stamp, type MemoryState } from "./memory-state.ts";
import { recordWritten } from "./memory-written.ts";

/** Writes events with their projections and audit entries. Returns when they were created. */
export function writeEvents(
  state: MemoryState,
  run: MemoryRun,
  events: readonly NewEvent[],
  consume: readonly string[] = [],
): string {
  // The log of an unfinished run always gets its events, even beyond the limit.
  makeRoom(state, {});
  const createdAt = stamp(state);
  recordEvents(state, run, events, consume);
  addEvents(state, run, events, createdAt);
  state.feed.written(run.view.id, run.view.lastSeq);
  return createdAt;
}

/** Adds events to the log, and applies them to the rows of the run. */
export function addEvents(
  state: MemoryState,
  run: MemoryRun,
  events: readonly NewEvent[],
  createdAt: string,
): void {
  const { id: runId, threadId } = run.view;
  for (const event of events) {
    const text = JSON.stringify({ ...event, runId, seq: run.events.length + 1, createdAt });
    run.events.push(JSON.parse(text) as RunEvent);
    run.bytes += text.length;
    state.bytes += text.length;
  }
  const projection = project(events);
  applyProjection(run, events, projection, createdAt);
  recordWritten(state, run.view, projection.written);
  for (const message of projection.messages)
    state.threads.get(threadId)?.messages.push({ ...message, id: nextMessageId(state), runId });
  applySummaries(state, run, projection);
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

export function wakeRun(state: MemoryState, run: MemoryRun, delayMs = 0): void {
  const { waker, now } = state;
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
  run.markedAt = state.now();
  wakeRun(state, run);
  return true;
}
