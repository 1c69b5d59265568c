import {
  chooseRunnable,
  whyNotClaim,
  type AppendRequest,
  type AppendResult,
  type ClaimRequest,
  type ClaimResult,
  type Lease,
  type RunLog,
  type TakeRequest,
  type Wake,
} from "@bron/core";
import { findBron } from "./memory-brons.ts";
import { writeEvents } from "./memory-appends.ts";
import { rulesOf } from "./memory-permissions.ts";
import { hasBudget } from "./memory-budgets.ts";
import { returnUnspent, takeDraw } from "./memory-draws.ts";
import type { MemoryRun } from "./memory-run.ts";
import { isPlaceServed } from "./memory-workers.ts";
import { ensureOwner, findRun, type MemoryState } from "./memory-state.ts";

export function memoryRunLog(state: MemoryState): RunLog {
  const { now, runs } = state;
  return {
    claim: async (request) => claim(state, request),
    read: async ({ runId, ownerId }, afterSeq) =>
      structuredClone(findRun(state, ownerId, runId)?.events.slice(afterSeq) ?? []),
    append: async (request) => append(state, request),
    async release(lease, { delayMs, keepCount }) {
      const run = findRun(state, lease.ownerId, lease.runId);
      if (!run || !isHeldBy(run, lease)) return false;
      run.lease = undefined;
      run.wakeAt = now() + delayMs;
      if (!keepCount) run.claims = Math.max(0, run.claims - 1);
      return true;
    },
    async renew(worker, leases, leaseMs) {
      const kept = leases.flatMap((lease) => {
        const run = runs.get(lease.runId);
        if (!run || !isHeldBy(run, { ...lease, worker })) return [];
        run.lease = { owner: worker, until: now() + leaseMs };
        return [{ runId: lease.runId, epoch: lease.epoch, lastSeq: run.view.lastSeq }];
      });
      return { kept, databaseNow: now() };
    },
    takeRunnable: async (request) => takeRunnable(state, request),
  };
}

const isHeldBy = (run: MemoryRun, lease: Lease) =>
  run.lease?.owner === lease.worker && run.epoch === lease.epoch;

function claim(state: MemoryState, request: ClaimRequest): ClaimResult {
  const now = state.now();
  const { runId, worker, leaseMs } = request;
  const run = state.runs.get(runId);
  if (!run) return { claimed: false, reason: "not_runnable" };
  const others = [...state.runs.values()].filter((other) => other !== run);
  const rowOf = (one: MemoryRun) => claimable(state, one);
  const reason = whyNotClaim(rowOf(run), others.map(rowOf), request, now);
  if (reason) return { claimed: false, reason };
  run.epoch++;
  // A worker that takes up a run that it dropped itself has not failed on it.
  if (run.lease?.owner !== worker) run.claims++;
  run.lease = { owner: worker, until: now + leaseMs };
  const { id, ownerId, bronId, threadId, caps, lastSeq } = run.view;
  const bron = findBron(state, ownerId, bronId);
  return {
    claimed: true,
    lease: { runId: id, ownerId, worker, epoch: run.epoch, cappedAncestors: run.cappedAncestors },
    run: {
      id,
      ownerId,
      bronId,
      bronTools: bron?.tools ?? null,
      bronModel: bron?.model ?? null,
      memoryOn: bron?.memoryOn ?? true,
      threadId,
      caps,
      place: run.view.place,
      scheduleId: run.view.scheduleId,
      maxTrustLevel: run.maxTrustLevel,
      attachedContext: run.attachedContext ?? [],
      ownerCapMicrousd: ensureOwner(state, ownerId).cap,
      hasOwnerBudget: hasBudget(ensureOwner(state, ownerId)),
    },
    lastSeq,
    events: structuredClone(run.events),
    drawnMicrousd: run.drawnMicrousd,
    claimsWithoutProgress: run.claims,
    databaseNow: now,
  };
}

function takeRunnable(state: MemoryState, request: TakeRequest): Wake[] {
  const { runs, now } = state;
  const all = [...runs.values()].map((run) => ({ run, ...claimable(state, run) }));
  return chooseRunnable(all, request, now()).map(({ id, ownerId, run }) => {
    run.markedAt = now();
    run.wakes++;
    return { runId: id, ownerId, wake: run.wakes, delayMs: 0, held: false };
  });
}

const claimable = (
  state: MemoryState,
  { view, runnable, logVersion, wakeAt, markedAt, lease }: MemoryRun,
) => ({
  id: view.id,
  ownerId: view.ownerId,
  status: view.status,
  cancelRequested: view.cancelRequested,
  place: view.place,
  isPlaceServed: isPlaceServed(state, view.place),
  runnable,
  logVersion,
  wakeAt,
  markedAt,
  lease,
});

function append(state: MemoryState, request: AppendRequest): AppendResult {
  const { now } = state;
  const { lease, seen, consume = [], release } = request;
  const run = findRun(state, lease.ownerId, lease.runId);
  if (!run || !isHeldBy(run, lease)) return { ok: false, reason: "lost" };
  if (run.view.lastSeq !== seen) return { ok: false, reason: "moved" };
  const approvals = consume.map((id) => run.approvals.get(id));
  if (
    approvals.some(
      (approval) => approval?.state !== "approved" || Date.parse(approval.expiresAt) <= now(),
    )
  )
    return { ok: false, reason: "approval" };
  const refusal = takeDraw(state, run, request);
  if (refusal) return { ok: false, reason: "budget", why: refusal };
  for (const approval of approvals)
    if (approval) run.approvals.set(approval.id, { ...approval, state: "used" });
  const createdAt = writeEvents(state, run, request.events, consume);
  run.claims = 0;
  run.runnable = release === undefined;
  run.lease =
    release === undefined ? { owner: lease.worker, until: now() + request.leaseMs } : undefined;
  const spentMicrousd = request.chargedMicrousd ?? run.view.spentMicrousd;
  if (release === "end") returnUnspent(state, run, spentMicrousd);
  run.view = {
    ...run.view,
    runnable: run.runnable,
    spentMicrousd,
    ...(release === "end" ? { finishedAt: createdAt } : {}),
  };
  return {
    ok: true,
    lastSeq: run.view.lastSeq,
    createdAt,
    drawnMicrousd: run.drawnMicrousd,
    ownerCapMicrousd: ensureOwner(state, lease.ownerId).cap,
    hasOwnerBudget: hasBudget(ensureOwner(state, lease.ownerId)),
    ...(request.needsDenyingRules
      ? { denyingRules: rulesOf(state, run.view).filter(({ verdict }) => verdict === "deny") }
      : {}),
  };
}
