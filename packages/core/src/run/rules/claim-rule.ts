import { isTerminal, logVersion, servesPlace, type Place, type RunStatus } from "@bron/protocol";
import type { ClaimRequest, ClaimResult } from "../../ports/runs/run-log.ts";

/** A run as its row describes it to a worker that wants to claim it. */
export interface ClaimableRun {
  readonly ownerId: string;
  readonly status: RunStatus;
  readonly runnable: boolean;
  readonly cancelRequested: boolean;
  readonly logVersion: number;
  readonly place: Place | null;
  /** Whether a worker that runs now serves the place. */
  readonly isPlaceServed: boolean;
  /** Epoch milliseconds, like every time here. */
  readonly wakeAt: number;
  readonly lease: { readonly owner: string; readonly until: number } | undefined;
}

type ClaimRejection = Extract<ClaimResult, { claimed: false }>["reason"];

/**
 * Why a worker may not claim a run, or undefined if it may. `others` are the other runs. The SQL
 * function `claim_run` contains the same rule. A test of the store compares both.
 */
export function whyNotClaim(
  run: ClaimableRun,
  others: readonly ClaimableRun[],
  request: ClaimRequest,
  now: number,
): ClaimRejection | undefined {
  if (!run.runnable || isTerminal(run.status)) return "not_runnable";
  if (run.logVersion > logVersion) return "too_new";
  if (!isHere(run, request)) return "elsewhere";
  if (run.wakeAt > now && !run.cancelRequested) return "too_early";
  if (
    run.lease &&
    run.lease.owner !== request.worker &&
    !mayTakeOver(run.lease.until, request, now)
  )
    return "taken";
  const held = others.filter(
    ({ lease }) => lease && isLeaseLive(lease.until, request.leaseMs, now),
  );
  const heldOfOwner = held.filter(({ ownerId }) => ownerId === run.ownerId);
  return held.length >= request.maxInAll || heldOfOwner.length >= request.maxPerOwner
    ? "limit"
    : undefined;
}

/**
 * Whether the worker serves the place of the run. Any worker may end a canceled run whose place is
 * gone.
 */
export function isHere(
  { place, isPlaceServed, cancelRequested }: ClaimableRun,
  { serves }: Pick<ClaimRequest, "serves">,
): boolean {
  return servesPlace(serves, place) || (cancelRequested && !isPlaceServed);
}

/** No live worker has a lease that ends later than this, because each renews its own often. */
function leaseHorizon(leaseMs: number, now: number): number {
  return now + Math.max(4 * leaseMs, 60_000);
}

export function isLeaseLive(until: number, leaseMs: number, now: number): boolean {
  return until >= now && until <= leaseHorizon(leaseMs, now);
}

/**
 * A lease may be taken over when it has expired, or when it ends beyond the horizon because the
 * clock was set back after its holder died. A worker whose own time lies beyond the horizon does
 * not judge other leases.
 */
export function mayTakeOver(
  until: number,
  { takeOverUntil, leaseMs }: Pick<ClaimRequest, "takeOverUntil" | "leaseMs">,
  now: number,
): boolean {
  const horizon = leaseHorizon(leaseMs, now);
  return now < takeOverUntil && (until < now || (until > horizon && takeOverUntil <= horizon));
}
