import { restoreAskUses } from "./memory-ask-uses.ts";
import { BronError, type ThreadMessage } from "@bron/core";
import {
  isTerminal,
  omitUndefined,
  resultIn,
  runResultSchema,
  upgradeEvent,
  type AttachedContext,
  type EffectView,
  type NewEvent,
  type RunEvent,
  type RunResult,
  type RunView,
} from "@bron/protocol";
import { addEvents, wakeRun } from "./memory-appends.ts";
import { addDefaultBron } from "./memory-brons.ts";
import { requireRoom } from "./memory-room.ts";
import { cappedRuns, emptyRunView, newMemoryRun, type MemoryRun } from "./memory-run.ts";
import {
  ensureOwner,
  findRun,
  nextMessageId,
  type MemoryState,
  type MemoryThread,
} from "./memory-state.ts";
import { shownRun } from "./memory-waits.ts";

/**
 * A run as data, which can be written as JSON: its log, and what is stored about it beside the log.
 * Files are not included, only their digests.
 */
export interface PortableLog {
  readonly logVersion: number;
  readonly run: Pick<
    RunView,
    | "id"
    | "ownerId"
    | "bronId"
    | "threadId"
    | "parentRunId"
    | "retryOf"
    | "title"
    | "prompt"
    | "caps"
    | "runnable"
    | "spentMicrousd"
    | "createdAt"
  > &
    RunResult;
  readonly attachedContext: readonly AttachedContext[];
  /** Messages of the conversation before the run. */
  readonly earlier: readonly Omit<ThreadMessage, "id">[];
  /** The summary of the first of these messages, and how many it covers. */
  readonly older?: { readonly text: string; readonly trusted: boolean; readonly messages: number };
  readonly events: readonly RunEvent[];
  /** Approvals that an attempt has used up. */
  readonly usedApprovals: readonly string[];
  /** By approval. Only the runtime with the same secret key accepts them. */
  readonly tokenHashes: Readonly<Record<string, string>>;
  /** By effect: what the owner found out about an unknown outcome. */
  readonly settled: Readonly<Record<string, NonNullable<EffectView["settled"]>>>;
  /** By effect: when the owner restored what it had replaced. */
  readonly restored?: Readonly<Record<string, string>>;
}

/** Throws not_found. */
export function readLog(
  state: MemoryState,
  { ownerId, runId }: { readonly ownerId: string; readonly runId: string },
): PortableLog {
  const run = findRun(state, ownerId, runId);
  if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
  const { id, bronId, threadId, parentRunId, retryOf, title, prompt, caps } = run.view;
  const { runnable, spentMicrousd, createdAt } = run.view;
  const messages = state.threads.get(threadId)?.messages ?? [];
  const own = messages.findIndex((message) => message.runId === runId);
  const earlier = messages.slice(0, own === -1 ? 0 : own);
  return structuredClone({
    logVersion: run.logVersion,
    run: {
      id,
      ownerId,
      bronId,
      threadId,
      parentRunId,
      retryOf,
      title,
      prompt,
      caps,
      runnable,
      spentMicrousd,
      createdAt,
      ...runResultSchema.parse(run.view),
    },
    attachedContext: run.attachedContext ?? [],
    earlier: earlier.map(({ runId: _, id: _id, ...message }) => message),
    ...omitUndefined({ older: olderOf(state.threads.get(threadId), earlier) }),
    events: run.events,
    usedApprovals: [...run.approvals.values()]
      .filter((approval) => approval.state === "used")
      .map((approval) => approval.id),
    tokenHashes: Object.fromEntries(run.tokenHashes),
    settled: Object.fromEntries(
      [...run.effects].flatMap(([effectId, { settled }]) => (settled ? [[effectId, settled]] : [])),
    ),
    restored: Object.fromEntries(
      [...run.effects].flatMap(([effectId, { restoredAt }]) =>
        restoredAt === null ? [] : [[effectId, restoredAt]],
      ),
    ),
  });
}

function olderOf(
  thread: MemoryThread | undefined,
  earlier: readonly ThreadMessage[],
): PortableLog["older"] {
  if (!thread?.older) return undefined;
  const { text, trusted, upTo } = thread.older;
  const messages = earlier.filter(({ id }) => Number(id) <= Number(upTo)).length;
  return messages === 0 ? undefined : { text, trusted, messages };
}

/**
 * Adds the run to this store. An unfinished run continues here, so it must not continue anywhere
 * else. Throws conflict if the store has the run, or lacks the run that it retries; store_full; or
 * invalid_input for a log with gaps.
 */
export function openLog(state: MemoryState, log: PortableLog): RunView {
  const { id, ownerId, retryOf } = log.run;
  if (state.runs.has(id)) throw new BronError("conflict", `This store already has run ${id}.`);
  if (log.events.length === 0 || log.events.some(({ seq }, index) => seq !== index + 1))
    throw new BronError("invalid_input", "The log is incomplete.");
  const parent = findRun(state, ownerId, log.run.parentRunId ?? "");
  const run = newMemoryRun({
    // The schedule stays where it was.
    view: { ...log.run, ...emptyRunView, scheduleId: null, dueAt: null },
    attachedContext: structuredClone([...log.attachedContext]),
    idempotencyKey: undefined,
    logVersion: log.logVersion,
    wakeAt: state.now(),
    markedAt: state.now(),
    cappedAncestors: parent ? cappedRuns(parent) : [],
    maxTrustLevel: parent?.maxTrustLevel ?? null,
  });
  const isOver = log.events.some(
    (event) => event.type === "status" && isTerminal(event.payload.status),
  );
  // Without the retried run, a retry would repeat effects.
  if (!isOver && retryOf !== null && !findRun(state, ownerId, retryOf))
    throw new BronError(
      "conflict",
      `Open the log of run ${retryOf} first, which this one retries.`,
    );
  requireRoom(state, { runs: 1, bytes: JSON.stringify(log.events).length });
  openThread(state, log);
  state.runs.set(id, run);
  for (const { createdAt, ...event } of log.events)
    addEvents(state, run, [upgradeEvent(eventOf(event))], createdAt);
  addRows(run, log);
  restoreAskUses(rootOfRun(state, run), run, run.events);
  state.feed.written(id, run.view.lastSeq);
  if (run.runnable) wakeRun(state, run);
  return shownRun(state, run);
}

const eventOf = ({ type, payload }: Pick<RunEvent, "type" | "payload">) =>
  ({ type, payload }) as NewEvent;

function openThread(state: MemoryState, { run, earlier, older }: PortableLog): void {
  const { ownerId, bronId, threadId } = run;
  ensureOwner(state, ownerId);
  const bron = state.brons.get(bronId);
  const thread = state.threads.get(threadId);
  if ((bron && bron.ownerId !== ownerId) || (thread && thread.ownerId !== ownerId))
    throw new BronError("conflict", "The log belongs to another owner.");
  if (!bron) addDefaultBron(state, ownerId, bronId);
  const updatedAt = run.parentRunId === null ? run.createdAt : null;
  if (thread) {
    if (updatedAt !== null && updatedAt > (thread.updatedAt ?? "")) thread.updatedAt = updatedAt;
    return;
  }
  const messages = earlier.map((message) => ({
    ...message,
    id: nextMessageId(state),
    runId: "",
  }));
  const upTo = messages[(older?.messages ?? 0) - 1]?.id;
  state.threads.set(threadId, {
    id: threadId,
    ownerId,
    bronId,
    title: updatedAt === null ? "" : run.title,
    createdAt: run.createdAt,
    updatedAt,
    archivedAt: null,
    pinnedAt: null,
    messages,
    older:
      older && upTo !== undefined ? { text: older.text, trusted: older.trusted, upTo } : undefined,
  });
}

/** What the log does not say. */
function rootOfRun(state: MemoryState, run: MemoryRun): MemoryRun {
  const { ownerId, parentRunId } = run.view;
  const parent = parentRunId === null ? undefined : findRun(state, ownerId, parentRunId);
  return parent ? rootOfRun(state, parent) : run;
}

function addRows(run: MemoryRun, log: PortableLog): void {
  for (const id of log.usedApprovals) {
    const approval = run.approvals.get(id);
    if (approval) run.approvals.set(id, { ...approval, state: "used" });
  }
  for (const [id, tokenHash] of Object.entries(log.tokenHashes)) run.tokenHashes.set(id, tokenHash);
  for (const [id, settled] of Object.entries(log.settled)) {
    const effect = run.effects.get(id);
    if (effect) run.effects.set(id, { ...effect, settled });
  }
  for (const [id, restoredAt] of Object.entries(log.restored ?? {})) {
    const effect = run.effects.get(id);
    if (effect) run.effects.set(id, { ...effect, restoredAt });
  }
  const { status } = run.view;
  const { spentMicrousd } = log.run;
  run.runnable = log.run.runnable && !isTerminal(status);
  const finishedAt = isTerminal(status) ? (log.events.at(-1)?.createdAt ?? null) : null;
  // The row has the newer result, because the owner may have settled effects after the run ended.
  const result = resultIn(log.run);
  run.view = { ...run.view, ...result, runnable: run.runnable, spentMicrousd, finishedAt };
}
