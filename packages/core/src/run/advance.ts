import { servesPlace, type Failure, type RetryOf, type RunEvent } from "@bron/protocol";
import { BronError } from "../errors.ts";
import { noHealth } from "../model/model-health.ts";
import type { ModelSet } from "../model/model-set.ts";
import type { Upkeep } from "../ports/runs/upkeep.ts";
import type { ClaimRequest, ClaimResult } from "../ports/runs/run-log.ts";
import {
  buildPreamble,
  buildUpkeepPreamble,
  type PreambleDeps,
} from "../context/build-preamble.ts";
import { createDraft } from "./decide/draft.ts";
import {
  earlierResults,
  nothingEarlier,
  type EarlierLog,
  type EarlierResults,
} from "../retry/earlier-results.ts";
import { cancelAction } from "../action/cancel-action.ts";
import { emitEnd } from "./decide/ending.ts";
import { runOutcome } from "./decide/run-outcome.ts";
import { fold } from "./state/fold.ts";
import { recordLostCall } from "./decide/record-model-call.ts";
import { emptyRunState, type OpenAction, type RunState } from "./state/run-state.ts";
import { noTools, resolveTools, type RunTools } from "../tool-set/run-tools.ts";
import { driveSegment, type SegmentDeps, type SegmentEnd } from "./segment.ts";
import type { SegmentHandle } from "./segment-handle.ts";

export interface AdvanceDeps extends Omit<SegmentDeps, "models"> {
  readonly threads: PreambleDeps["threads"];
  readonly runs: PreambleDeps["runs"];
  readonly memory: PreambleDeps["memory"];
  readonly upkeep: Pick<Upkeep, "inputOf">;
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
  const isUpkeep = state.kind === "upkeep";
  const tools = isUpkeep ? noTools : await resolveTools(deps, claimed.run, state.allowedTools);
  if (lacksTool(state, tools, claimed.databaseNow)) {
    await deps.log.release(claimed.lease, { delayMs: withoutToolMs, keepCount: false });
    return "lease_lost";
  }
  const preamble = () =>
    isUpkeep
      ? buildUpkeepPreamble(deps.upkeep, claimed.run)
      : buildPreamble(deps, claimed.run, state);
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
  // What another program finished is recorded without the tool, as untrusted.
  const needsTool = ({ effect, edit, client, state: actionState }: OpenAction) =>
    (actionState === "executing" && (client === undefined || client.state === "taken")) ||
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
  const ending = { outcome: "failed", error: stuckError } as const;
  const { tools } = deps;
  emitEnd(draft, ending, runOutcome({ state, ending, declared: undefined, tools }));
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
