import {
  BronError,
  childRunLimit,
  childRunStarted,
  cleanText,
  contextOf,
  deservesSummary,
  firstEvents,
  isSameTask,
  isTrustedPrompt,
  type CreatedRun,
  type NewRun,
  type ParentRun,
} from "@bron/core";
import {
  isTerminal,
  logVersion,
  lowerCaps,
  omitUndefined,
  uploadKind,
  type Caps,
  type RunView,
} from "@bron/protocol";
import { appendAndWake, wakeRun, writeEvents } from "./memory-appends.ts";
import { requireRoom } from "./memory-room.ts";
import { cappedRuns, emptyRunView, newMemoryRun, type MemoryRun } from "./memory-run.ts";
import {
  ensureOwner,
  findRun,
  nextMessageId,
  runsOf,
  stamp,
  type MemoryState,
  type MemoryThread,
} from "./memory-state.ts";
import { markActivity, resolveThread } from "./memory-threads.ts";
import { claimUploads } from "./memory-uploads.ts";
import { shownRun } from "./memory-waits.ts";

export function createRun(state: MemoryState, newRun: NewRun): CreatedRun {
  const { ownerId, parent: parentRef, retry, earlier = [] } = newRun;
  const existing = findByKey(state, newRun);
  if (existing) return { run: shownRun(state, existing), created: false };
  const parent = parentRef && findParent(state, ownerId, parentRef);
  const input = parent ? { ...newRun.input, place: parent.view.place ?? undefined } : newRun.input;
  requireRoom(state, {
    runs: 1,
    bytes: input.prompt.length,
    keep: { runId: retry?.runId, threadId: input.threadId },
  });
  ensureOwner(state, ownerId);
  const uploaded = claimUploads(state, ownerId, input.uploadIds ?? []);
  const retried = retry && findRun(state, ownerId, retry.runId);
  const thread = resolveThread(state, ownerId, {
    ...input,
    mayBeArchived: parent !== undefined || newRun.kind !== undefined,
  });
  if (!parent && newRun.kind === undefined) markActivity(state, thread, cleanText(newRun.title));
  if (thread.messages.length === 0)
    thread.messages.push(
      ...earlier.map(({ role, content }) => ({
        id: nextMessageId(state),
        role,
        content,
        trusted: role === "user" && isTrustedPrompt(newRun),
        runId: "",
      })),
    );
  const run = newMemoryRun({
    view: viewOf(state, newRun, thread),
    attachedContext: retried?.attachedContext ?? input.attachedContext,
    kind: newRun.kind,
    upkeepDue: deservesSummary(newRun),
    idempotencyKey: newRun.idempotencyKey,
    logVersion,
    wakeAt: state.now() + (input.delayMs ?? 0),
    markedAt: state.now(),
    cappedAncestors: parent ? cappedRuns(parent) : [],
    maxTrustLevel: newRun.maxTrustLevel ?? (parent ?? retried)?.maxTrustLevel ?? null,
  });
  const { id } = run.view;
  state.runs.set(id, run);
  const files = [...uploaded.files, ...(retried ? inheritedFiles(state, retried) : [])];
  writeEvents(state, run, firstEvents({ ...newRun, input }, run.view.prompt, files));
  uploaded.take(id);
  wakeRun(state, run, input.delayMs ?? 0);
  if (parent && parentRef)
    appendAndWake(state, parent, [childRunStarted(parentRef, { id, title: run.view.title })]);
  return { run: run.view, created: true };
}

function findByKey(state: MemoryState, newRun: NewRun): MemoryRun | undefined {
  const { ownerId, idempotencyKey } = newRun;
  if (idempotencyKey === undefined) return undefined;
  const existing = runsOf(state, ownerId).find((run) => run.idempotencyKey === idempotencyKey);
  if (!existing) return undefined;
  const uploadIds = [...state.uploads.values()]
    .filter(({ view }) => view.runId === existing.view.id)
    .map(({ view }) => view.id);
  if (!isSameTask({ ...existing.view, uploadIds, context: contextOf(existing.events) }, newRun))
    throw new BronError("conflict", "This idempotency key was already used for another task.");
  return existing;
}

function findParent(
  state: MemoryState,
  ownerId: string,
  { runId, maxChildren }: ParentRun,
): MemoryRun {
  const parent = findRun(state, ownerId, runId);
  if (!parent) throw new BronError("not_found", `Run ${runId} not found.`);
  if (parent.view.cancelRequested || isTerminal(parent.view.status))
    throw new BronError("conflict", "The parent run was canceled or has finished.");
  const childCount = [...state.runs.values()].filter(
    ({ view }) => view.parentRunId === runId,
  ).length;
  if (maxChildren !== undefined && childCount >= maxChildren) throw childRunLimit(maxChildren);
  return parent;
}

/** A Bron can lower what one of its runs may cost. */
function capsOfBron({ brons }: MemoryState, bronId: string, caps: Caps): Caps {
  const costMicrousd = brons.get(bronId)?.maxCostMicrousd ?? undefined;
  return lowerCaps(caps, omitUndefined({ costMicrousd }));
}

function viewOf(
  state: MemoryState,
  { ownerId, input, title, caps, parent, retry, schedule }: NewRun,
  { id: threadId, bronId }: MemoryThread,
): RunView {
  return {
    id: state.uuid(),
    ownerId,
    bronId,
    threadId,
    parentRunId: parent?.runId ?? null,
    retryOf: retry?.runId ?? null,
    scheduleId: schedule?.id ?? null,
    dueAt: schedule?.dueAt ?? null,
    title: cleanText(title),
    prompt: cleanText(input.prompt),
    caps: capsOfBron(state, bronId, caps),
    runnable: true,
    spentMicrousd: 0,
    createdAt: stamp(state),
    ...emptyRunView,
  };
}

function inheritedFiles({ uuid }: MemoryState, { artifacts }: MemoryRun) {
  return artifacts
    .filter(({ kind }) => kind === uploadKind)
    .map(({ kind, name, mediaType, digest, sizeBytes }) => ({
      artifactId: uuid(),
      kind,
      name,
      mediaType,
      digest,
      sizeBytes,
    }));
}
