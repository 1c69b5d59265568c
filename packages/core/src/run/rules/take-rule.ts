import { isTerminal, logVersion } from "@bron/protocol";
import type { TakeRequest } from "../../ports/runs/run-log.ts";
import { isHere, isLeaseLive, mayTakeOver, type ClaimableRun } from "./claim-rule.ts";

/** A run as its row describes it to a sweep. */
interface TakeableRun extends ClaimableRun {
  readonly id: string;
  /** When a sweep or a wake last marked the run. */
  readonly markedAt: number;
}

/** How long a marked run is left to the process that marked it. */
const markedMs = 1_000;

/**
 * The runs that a worker takes in a sweep, in order. `runs` are all runs, oldest first. The
 * statement of the Postgres store contains the same rule. The contract suite tests both.
 */
export function chooseRunnable<Run extends TakeableRun>(
  runs: readonly Run[],
  request: TakeRequest,
  now: number,
): Run[] {
  const liveByOwner = new Map<string, number>();
  let live = 0;
  for (const { ownerId, lease } of runs)
    if (lease && isLeaseLive(lease.until, request.leaseMs, now)) {
      live++;
      liveByOwner.set(ownerId, (liveByOwner.get(ownerId) ?? 0) + 1);
    }
  const turns = new Map(liveByOwner);
  const waiting = runs
    .filter((run) => isWaiting(run, request, now))
    .map((run) => {
      const turn = (turns.get(run.ownerId) ?? 0) + 1;
      turns.set(run.ownerId, turn);
      return { run, turn };
    });
  return waiting
    .filter(({ turn }) => turn <= request.maxPerOwner)
    .toSorted((a, b) => a.turn - b.turn)
    .slice(0, Math.max(0, Math.min(request.limit, request.maxInAll - live)))
    .map(({ run }) => run);
}

function isWaiting(run: TakeableRun, request: TakeRequest, now: number): boolean {
  const { worker, active, only } = request;
  const { id, lease } = run;
  if (!run.runnable || isTerminal(run.status) || run.logVersion > logVersion) return false;
  if (!isHere(run, request)) return false;
  if (only && !only.includes(id)) return false;
  if (run.wakeAt > now && !run.cancelRequested) return false;
  if (run.markedAt >= now - markedMs) return false;
  return (
    !lease ||
    (lease.owner === worker && !active.includes(id)) ||
    mayTakeOver(lease.until, request, now)
  );
}
