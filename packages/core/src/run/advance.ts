import type { LanguageModelV4Message } from "@ai-sdk/provider";
import type { RetryOf, RunEvent } from "@bron/protocol";
import { userMessage } from "../context/model-messages.ts";
import { systemInstruction } from "../context/system-instruction.ts";
import { BronError } from "../errors.ts";
import type {
  ClaimRequest,
  ClaimResult,
  CodedError,
  Profile,
  RunHeader,
  RunModel,
  ThreadMessage,
  Threads,
} from "../ports.ts";
import { createDraft } from "./draft.ts";
import {
  earlierResults,
  nothingEarlier,
  type EarlierLog,
  type EarlierResults,
} from "./earlier-results.ts";
import { withdrawAction } from "./end-action.ts";
import { emitEnd } from "./ending.ts";
import { fold } from "./fold.ts";
import { recordLostCall } from "./record.ts";
import { emptyRunState, type RunState } from "./run-state.ts";
import { joined, noLabels, withContext, type RunLabels } from "../policy/run-labels.ts";
import { createSegment, type Preamble, type SegmentEnd, type SegmentDeps } from "./segment.ts";

export interface AdvanceDeps extends Omit<SegmentDeps, "model"> {
  readonly threads: Threads;
  /** Asked once for each segment. Throws only when the database cannot be asked. */
  readonly modelFor: (ownerId: string) => Promise<RunModel>;
}

export interface AdvanceInput {
  readonly claim: ClaimRequest;
  readonly signal: AbortSignal;
  /** This worker dropped the run earlier because it could not renew its lease. That interruption does not count as a failed attempt. */
  readonly wasInterrupted?: boolean;
  readonly onNudge: (listener: () => void) => void;
  readonly onSeen: (lastSeq: number) => void;
  /** Called between the claim and the first append, so that the lease can be kept. */
  readonly onClaim: (lease: {
    runId: string;
    ownerId: string;
    worker: string;
    epoch: number;
  }) => void;
}

type Claimed = Extract<ClaimResult, { claimed: true }>;

export type AdvanceEnd =
  | SegmentEnd
  | { readonly notClaimed: Extract<ClaimResult, { claimed: false }>["reason"] };

/** Claims without an append after which a run is given up. */
const maxFruitlessClaims = 3;
/** Further claims in which effects in doubt are looked into before that. The look itself may be what kills the worker. */
const maxLastLooks = 3;

/**
 * Advances one run until it ends, parks, or the lease goes. Claim first, then fold: only what is read under the lease counts.
 * Throws when the database cannot be asked, or on a defect; the caller lets go of the lease.
 */
export async function advance(deps: AdvanceDeps, input: AdvanceInput): Promise<AdvanceEnd> {
  const claimed = await deps.log.claim(input.claim);
  if (!claimed.claimed) return { notClaimed: claimed.reason };
  input.onClaim(claimed.lease);
  input.onSeen(claimed.lastSeq);
  const isGivenUp = claimed.claimsWithoutProgress > maxFruitlessClaims && !input.wasInterrupted;
  const state = isGivenUp
    ? readableOrEmpty(claimed)
    : input.wasInterrupted
      ? withoutInterrupted(foldLog(claimed))
      : foldLog(claimed);
  if (
    isGivenUp &&
    (!isInDoubt(state) || claimed.claimsWithoutProgress > maxFruitlessClaims + maxLastLooks)
  )
    return await giveUp(deps, claimed, state);
  if (lacksTool(state, deps)) {
    await deps.log.release(claimed.lease, { delayMs: withoutToolMs, keepCount: false });
    return "lost";
  }
  const preamble = () => buildPreamble(deps, claimed.run, state.parentRunId);
  const [earlier, model] = await Promise.all([
    isGivenUp ? nothingEarlier : readEarlier(deps, claimed.run.ownerId, state),
    deps.modelFor(claimed.run.ownerId),
  ]);
  const { lease, run, drawnMicrousd, databaseNow } = claimed;
  const { signal, onNudge, onSeen } = input;
  return await createSegment(
    { ...deps, model },
    {
      lease,
      run,
      state,
      drawnMicrousd,
      databaseNow,
      preamble,
      earlier,
      signal,
      onNudge,
      onSeen,
      ...(isGivenUp ? { givenUp: poisoned } : {}),
    },
  ).drive();
}

const poisoned: CodedError = {
  code: "run_poisoned",
  message: `It was claimed ${maxFruitlessClaims} times without getting anywhere.`,
};

/** Whether an effect had begun of which the log does not say how it ended. */
function isInDoubt(state: RunState): boolean {
  return [...state.open.values()].some(
    (action) => action.state === "executing" && action.effect !== undefined,
  );
}

/** Logs of runs, each of which tried the one before again. */
const mostTries = 100;

/** An effect stays done however often it was tried to go on from it, by the whole or by a part of it. */
async function readEarlier(
  { log }: AdvanceDeps,
  ownerId: string,
  { retryOf: own, parentRunId }: RunState,
): Promise<EarlierResults> {
  const read = (runId: string) => log.read({ runId, ownerId }, 0);
  const retryOf = parentRunId === undefined ? own : retryIn(await read(parentRunId));
  if (!retryOf) return nothingEarlier;
  const logs: EarlierLog[] = [];
  for (
    let [next, tries]: [string | undefined, number] = [retryOf.runId, 0];
    next !== undefined && tries < mostTries;
    tries++
  ) {
    const runId: string = next;
    const events = await read(runId);
    const parts = [
      ...new Set(
        events.flatMap((event) => (event.type === "child_run" ? [event.payload.childRunId] : [])),
      ),
    ];
    logs.unshift(
      ...(await Promise.all(parts.map(async (id) => ({ runId: id, events: await read(id) })))),
      { runId, events },
    );
    next = retryIn(events)?.runId;
  }
  return earlierResults(logs, new Set(retryOf.notDone));
}

function retryIn(events: readonly RunEvent[]): RetryOf | undefined {
  return events.find((event) => event.type === "status")?.payload.retry;
}

/** How long a run is left to others that needs a tool which this worker does not have. */
const withoutToolMs = 5_000;

/** What has been prepared or begun with a tool goes on only where that tool is; stopping it is possible everywhere. */
function lacksTool(state: RunState, deps: AdvanceDeps): boolean {
  return (
    !state.cancelRequested &&
    [...state.open.values()].some(
      (action) =>
        (action.effect !== undefined ||
          action.edit !== undefined ||
          action.state === "executing") &&
        !deps.tools.has(action.tool),
    )
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
      `The log of ${claimed.run.id} has ${state.seq} of ${claimed.lastSeq} entries`,
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
  };
}

/** A run that three workers could not advance ends with a card, whatever its log says. */
async function giveUp(deps: AdvanceDeps, claimed: Claimed, state: RunState): Promise<SegmentEnd> {
  const draft = createDraft(state, claimed.databaseNow, deps.ids);
  for (const action of state.open.values())
    withdrawAction(draft, action, deps.tools.get(action.tool)?.repeatable === true);
  recordLostCall(draft, false);
  emitEnd(draft, { outcome: "failed", error: poisoned });
  // What was charged is in the row; a log that cannot be read must not undo it.
  const result = await deps.log.append({
    lease: claimed.lease,
    seen: state.seq,
    events: draft.events,
    leaseMs: deps.leaseMs,
    release: "end",
  });
  if (!result.ok) return "lost";
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
  const [handedOn, profile, tail] = await Promise.all([
    parentRunId === undefined ? noLabels : labelsOfRun(log, run.ownerId, parentRunId),
    orElse<Profile | undefined>(threads.profile(run.ownerId, run.bronId), undefined),
    orElse<ThreadMessage[] | undefined>(
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
  ];
  return { messages, labels: joined(handedOn, contextLabels(run.attachedContext, tail)) };
}

/**
 * Of the run that this one is a part of, as it stands: what it has read since counts too, since nobody need tell it apart.
 * What it wrote with others' words before it, in its thread or attached, is theirs in part. Throws when the database cannot be asked.
 */
async function labelsOfRun(
  log: AdvanceDeps["log"],
  ownerId: string,
  runId: string,
): Promise<RunLabels> {
  const events = await log.read({ runId, ownerId }, 0);
  const { labels } = events.reduce(
    (before, event) => fold(before, event, Date.parse(event.createdAt)),
    emptyRunState,
  );
  // Its first words came before any result: what it did not write freely then, it had others' words before it.
  const first = events.find(
    (event) => event.type === "message" && event.payload.role === "assistant",
  );
  const wroteFreely =
    first?.type !== "message" || first.payload.role === "user" || first.payload.trusted === true;
  return wroteFreely ? labels : withContext(labels, "child", "");
}

/** Attached context was written by others, and so, in part, were answers to tasks that read what others wrote. */
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
  // What cannot be read now may have been read before, by another segment of this run.
  if (!tail) return withContext(labels, "thread", "");
  const answers = tail.filter(({ trusted }) => !trusted).map(({ content }) => content);
  return answers.length === 0 ? labels : withContext(labels, "thread", answers);
}

/** A profile or a tail that cannot be read does not block a run. */
async function orElse<T>(reading: Promise<T>, otherwise: T): Promise<T> {
  try {
    return await reading;
  } catch {
    return otherwise;
  }
}
