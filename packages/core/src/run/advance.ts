import type { LanguageModelV4Message } from "@ai-sdk/provider";
import { servesPlace, type Failure, type RetryOf, type RunEvent } from "@bron/protocol";
import { userMessage } from "../context/model-messages.ts";
import { newTaskNote } from "../context/new-task-note.ts";
import { systemInstruction } from "../context/system-instruction.ts";
import { BronError } from "../errors.ts";
import type { OwnerText } from "../intent/owner-text.ts";
import { noHealth } from "../model/model-health.ts";
import type { ModelSet } from "../model/model-set.ts";
import type { ClaimRequest, ClaimResult, RunHeader } from "../ports/run-log.ts";
import type { Profile, ThreadMessage, Threads } from "../ports/threads.ts";
import { createDraft } from "./draft.ts";
import {
  earlierResults,
  nothingEarlier,
  type EarlierLog,
  type EarlierResults,
} from "./earlier-results.ts";
import { cancelAction } from "./cancel-action.ts";
import { emitEnd } from "./ending.ts";
import { fold } from "./fold.ts";
import { recordLostCall } from "./record-model-call.ts";
import { emptyRunState, type OpenAction, type RunState } from "./run-state.ts";
import { resolveTools, type RunTools } from "./run-tools.ts";
import {
  mergeLabels,
  noLabels,
  withContext,
  withRunId,
  type RunLabels,
} from "../policy/run-labels.ts";
import type { Preamble } from "./preamble.ts";
import { driveSegment, type SegmentDeps, type SegmentEnd } from "./segment.ts";
import type { SegmentHandle } from "./segment-handle.ts";
import { isMessageTrusted } from "../policy/message-trust.ts";

export interface AdvanceDeps extends Omit<SegmentDeps, "models"> {
  readonly threads: Pick<Threads, "tail" | "profile">;
  /** Called once per segment. Throws only when the database is unreachable. */
  readonly modelsFor: (ownerId: string) => Promise<ModelSet>;
  /** Called after each claim. Must not throw. */
  readonly onClaim?: (claimed: Claimed) => void;
}

interface AdvanceInput {
  readonly claim: ClaimRequest;
  readonly signal: AbortSignal;
  /**
   * True if this worker dropped the run earlier because it could not renew its lease. That
   * interruption does not count as a failed attempt.
   */
  readonly wasInterrupted?: boolean;
  readonly handle: SegmentHandle;
}

export type Claimed = Extract<ClaimResult, { claimed: true }>;

export type AdvanceEnd =
  | SegmentEnd
  | { readonly notClaimed: Extract<ClaimResult, { claimed: false }>["reason"] };

/** A run is given up after this many claims without an append. */
const maxClaimsWithoutProgress = 3;
/**
 * Additional claims that only reconcile unknown effects before giving up. Reconciling itself may be
 * what crashes the worker.
 */
const maxFinalClaims = 3;

/**
 * Advances one run until it ends, parks, or the lease is lost or released. It claims before it
 * folds, because only events read under the lease count. Throws when the database is unreachable,
 * or on a defect. The caller then releases the lease.
 */
export async function advance(deps: AdvanceDeps, input: AdvanceInput): Promise<AdvanceEnd> {
  const claimed = await deps.log.claim(input.claim);
  if (!claimed.claimed) return { notClaimed: claimed.reason };
  deps.onClaim?.(claimed);
  const { handle, signal } = input;
  handle.lease = claimed.lease;
  handle.seen = claimed.lastSeq;
  const shouldGiveUp =
    claimed.claimsWithoutProgress > maxClaimsWithoutProgress && !input.wasInterrupted;
  const state = shouldGiveUp
    ? readableOrEmpty(claimed)
    : input.wasInterrupted
      ? withoutInterrupted(foldLog(claimed))
      : foldLog(claimed);
  if (
    shouldGiveUp &&
    (!hasUnclearEffect(state) ||
      claimed.claimsWithoutProgress > maxClaimsWithoutProgress + maxFinalClaims)
  )
    return await giveUp(deps, claimed, state);
  const tools = await resolveTools(deps, claimed.run, state.allowedTools);
  if (lacksTool(state, tools, claimed.databaseNow)) {
    await deps.log.release(claimed.lease, { delayMs: withoutToolMs, keepCount: false });
    return "lease_lost";
  }
  const preamble = () => buildPreamble(deps, claimed.run, state.parentRunId);
  const [earlier, models] = await Promise.all([
    shouldGiveUp ? nothingEarlier : readEarlier(deps, claimed.run.ownerId, state),
    deps.modelsFor(claimed.run.ownerId),
  ]);
  const { lease, run, drawnMicrousd, databaseNow } = claimed;
  return await driveSegment(
    // The models of an own key share their names with others, but not their outages.
    { ...deps, models, modelHealth: models.lastResort ? deps.modelHealth : noHealth },
    {
      lease,
      run,
      state,
      drawnMicrousd,
      databaseNow,
      preamble,
      tools,
      isHere: servesPlace(input.claim.serves, run.place),
      earlier,
      signal,
      handle,
      ...(shouldGiveUp ? { giveUpError: stuckError } : {}),
    },
  );
}

const stuckError: Failure = {
  code: "run_keeps_failing",
  why: { code: "no_progress", attempts: maxClaimsWithoutProgress },
};

/** Whether an effect was started and the log does not say how it ended. */
function hasUnclearEffect(state: RunState): boolean {
  return [...state.open.values()].some(
    ({ state: now, effect, client }) =>
      now === "executing" && effect !== undefined && client === undefined,
  );
}

/** Limit for a chain of retries. */
const maxRetryChain = 100;

/**
 * Collects the results of every earlier attempt and of their child runs, so that a retry never
 * repeats an effect.
 */
async function readEarlier(
  { log }: AdvanceDeps,
  ownerId: string,
  { retryOf: own, parentRunId }: RunState,
): Promise<EarlierResults> {
  const read = (runId: string) => log.read({ runId, ownerId }, 0);
  const retryOf = parentRunId === undefined ? own : await retryOfRoot(read, parentRunId);
  if (!retryOf) return nothingEarlier;
  const logs: EarlierLog[] = [];
  for (
    let [next, tries]: [string | undefined, number] = [retryOf.runId, 0];
    next !== undefined && tries < maxRetryChain;
    tries++
  ) {
    const runId: string = next;
    const events = await read(runId);
    logs.unshift(...(await readBelow(read, events)), { runId, events });
    next = retryIn(events)?.runId;
  }
  return earlierResults(logs, new Set(retryOf.notDone));
}

type ReadRun = (runId: string) => Promise<readonly RunEvent[]>;

/** The run that the root of a tree retries. */
async function retryOfRoot(read: ReadRun, runId: string): Promise<RetryOf | undefined> {
  const events = await read(runId);
  const parentRunId = events.find((event) => event.type === "status")?.payload.parentRunId;
  return parentRunId === undefined ? retryIn(events) : await retryOfRoot(read, parentRunId);
}

/** The logs of all runs below a run, given its events. The deepest come first. */
async function readBelow(read: ReadRun, events: readonly RunEvent[]): Promise<EarlierLog[]> {
  const childRunIds = new Set(
    events.flatMap((event) => (event.type === "child_run" ? [event.payload.childRunId] : [])),
  );
  const logs = await Promise.all(
    [...childRunIds].map(async (runId) => {
      const own = await read(runId);
      return [...(await readBelow(read, own)), { runId, events: own }];
    }),
  );
  return logs.flat();
}

function retryIn(events: readonly RunEvent[]): RetryOf | undefined {
  return events.find((event) => event.type === "status")?.payload.retry;
}

/** Delay before a run is claimable again when this worker lacks a tool that the run needs. */
const withoutToolMs = 5_000;

/**
 * Started, approved and edited actions can continue only on a worker that has their tool. Any
 * worker can cancel them. An approved action waits until its approval expires.
 */
function lacksTool(state: RunState, { known }: RunTools, databaseNow: number): boolean {
  const needsTool = ({ effect, edit, state: actionState }: OpenAction) =>
    actionState === "executing" ||
    edit !== undefined ||
    effect?.approval?.edit !== undefined ||
    (effect?.approval?.state === "approved" && databaseNow < effect.approval.expiresAt);
  return (
    !state.cancelRequested &&
    [...state.open.values()].some((action) => !known.has(action.tool) && needsTool(action))
  );
}

function foldLog(claimed: Claimed): RunState {
  const state = claimed.events.reduce(
    (before, event) => fold(before, event, Date.parse(event.createdAt)),
    emptyRunState,
  );
  if (state.seq < claimed.lastSeq)
    throw new BronError(
      "internal",
      `The log of ${claimed.run.id} has ${state.seq} of ${claimed.lastSeq} events`,
    );
  return state;
}

function withoutInterrupted(state: RunState): RunState {
  const open = [...state.open.values()].map((action) =>
    action.state === "executing" && !action.effect
      ? { ...action, attempts: action.attempts - 1 }
      : action,
  );
  return {
    ...state,
    open: new Map(open.map((action) => [action.id, action])),
    openStep: state.openStep && { ...state.openStep, interrupted: true },
    auxiliaryCalls: new Map(
      [...state.auxiliaryCalls].map(([purpose, call]) => [
        purpose,
        call.open ? { ...call, open: { ...call.open, interrupted: true as const } } : call,
      ]),
    ),
  };
}

/**
 * Ends a run that several workers could not advance, whatever its log says. The run ends with a
 * card.
 */
async function giveUp(deps: AdvanceDeps, claimed: Claimed, state: RunState): Promise<SegmentEnd> {
  const draft = createDraft(state, claimed.databaseNow, deps.ids);
  for (const action of state.open.values())
    cancelAction(draft, action, deps.tools.get(action.tool));
  recordLostCall(draft, false);
  emitEnd(draft, { outcome: "failed", error: stuckError });
  // `chargedMicrousd` is omitted so that the row keeps the charge. A log that cannot be read must
  // not reset it.
  const result = await deps.log.append({
    lease: claimed.lease,
    seen: state.seq,
    events: draft.events,
    leaseMs: deps.leaseMs,
    release: "end",
  });
  if (!result.ok) return "lease_lost";
  deps.onAppend(claimed.run.id, {
    events: draft.events,
    lastSeq: result.lastSeq,
    createdAt: result.createdAt,
  });
  return "ended";
}

function readableOrEmpty(claimed: Claimed): RunState {
  try {
    return foldLog(claimed);
  } catch {
    return { ...emptyRunState, seq: claimed.lastSeq };
  }
}

async function buildPreamble(
  { threads, clock, log }: Pick<AdvanceDeps, "threads" | "clock" | "log">,
  run: RunHeader,
  parentRunId: string | undefined,
): Promise<Preamble> {
  const [parent, profile, tail] = await Promise.all([
    parentRunId === undefined
      ? { labels: noLabels, rootRunId: run.id }
      : aboveRun(log, run.ownerId, parentRunId),
    withFallback<Profile | undefined>(threads.profile(run.ownerId, run.bronId), undefined),
    withFallback<ThreadMessage[] | undefined>(
      threads.tail(run.ownerId, run.threadId, run.id, run.caps.tailMessages),
      undefined,
    ),
  ]);
  const system: LanguageModelV4Message = {
    role: "system",
    content: systemInstruction({ profile, attached: run.attachedContext, now: clock.now() }),
  };
  const messages = [
    system,
    ...(tail ?? []).map((message): LanguageModelV4Message =>
      message.role === "user"
        ? userMessage(message.content)
        : { role: "assistant", content: [{ type: "text", text: message.content }] },
    ),
    ...newTaskNote(tail ?? []),
  ];
  return {
    messages,
    labels: mergeLabels(parent.labels, contextLabels(run.attachedContext, tail)),
    // A child run is judged by the words of the task that it belongs to.
    texts: parentRunId === undefined ? textsBefore(profile, tail ?? []) : [],
    rootRunId: parent.rootRunId,
  };
}

/** What the owner typed before this task: the Bron's instruction, and earlier tasks. */
function textsBefore(profile: Profile | undefined, tail: readonly ThreadMessage[]): OwnerText[] {
  const standing = profile?.persona.trim();
  return [
    ...tail.flatMap(({ role, content }): OwnerText[] =>
      role === "user" ? [{ when: "earlier", text: content }] : [],
    ),
    ...(standing ? [{ when: "standing", text: standing } as const] : []),
  ];
}

/**
 * Returns the root of a tree, and the current labels of the parent run and of the runs above it. They include what those
 * have read since they started the child, because labels do not say when something was read. If a
 * run had untrusted text in its thread or attachments, its words count as partly untrusted. Throws
 * when the database is unreachable.
 */
async function aboveRun(
  log: AdvanceDeps["log"],
  ownerId: string,
  runId: string,
): Promise<{ readonly labels: RunLabels; readonly rootRunId: string }> {
  const events = await log.read({ runId, ownerId }, 0);
  const { labels, parentRunId } = events.reduce(
    (before, event) => fold(before, event, Date.parse(event.createdAt)),
    emptyRunState,
  );
  const read = withRunId(labels, runId);
  // The parent's first message came before any tool result. If it is untrusted, the parent started
  // with untrusted text in context.
  const own = isMessageTrusted(events, "first") === false ? withContext(read, "child", "") : read;
  if (parentRunId === undefined) return { labels: own, rootRunId: runId };
  const above = await aboveRun(log, ownerId, parentRunId);
  return { labels: mergeLabels(above.labels, own), rootRunId: above.rootRunId };
}

/**
 * Attached context was written by other people. Model messages of earlier tasks that read such text
 * are untrusted too.
 */
function contextLabels(
  attached: RunHeader["attachedContext"],
  tail: readonly ThreadMessage[] | undefined,
): RunLabels {
  const labels =
    attached.length === 0
      ? noLabels
      : withContext(
          noLabels,
          "attached",
          attached.map((entry) => JSON.stringify(entry)),
        );
  // If the thread cannot be read now, an earlier segment of this run may still have read it.
  if (!tail) return withContext(labels, "thread", "");
  const untrusted = tail.filter(({ trusted }) => !trusted).map(({ content }) => content);
  return untrusted.length === 0 ? labels : withContext(labels, "thread", untrusted);
}

/** A profile or thread history that cannot be read does not block a run. */
async function withFallback<T>(work: Promise<T>, fallback: T): Promise<T> {
  try {
    return await work;
  } catch {
    return fallback;
  }
}
