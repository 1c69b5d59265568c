import {
  actionDetails,
  auditEntries,
  BronError,
  childRunStarted,
  drawAmount,
  project,
  sha256,
  type AppendRequest,
  type AppendResult,
  type ClaimRequest,
  type Lease,
  type Store,
  type ThreadMessage,
  type Wake,
  type Waker,
} from "@bron/core";
import {
  omitUndefined,
  isParked,
  isTerminal,
  logVersion,
  maxCountedRuns,
  uploadKind,
  type ApprovalPayload,
  type ApprovalView,
  type NewEvent,
  type RunStatus,
  type RunView,
} from "@bron/protocol";
import { applyProjection } from "./apply-projection.ts";
import { createMemoryAudit } from "./memory-audit.ts";
import { createMemoryUploads } from "./memory-uploads.ts";
import type { MemoryRun } from "./memory-run.ts";

type ApprovalClosing = Pick<ApprovalPayload, "reason" | "edit" | "answer" | "undone"> & {
  readonly state: "approved" | "denied" | "expired" | "superseded";
  readonly undoMs?: number;
};

interface MemoryOwner {
  cap: number | null;
  drawn: number;
}

export interface MemoryStoreOptions {
  readonly now: () => number;
  readonly uuid: () => string;
  readonly waker?: Waker;
}

/**
 * An in-memory store with the same contract as the Postgres store. The same contract suite tests
 * both.
 */
export function createMemoryStore({ now, uuid, waker }: MemoryStoreOptions): Store {
  const runs = new Map<string, MemoryRun>();
  const owners = new Map<string, MemoryOwner>();
  const brons = new Map<string, string>();
  const threads = new Map<
    string,
    { ownerId: string; bronId: string; messages: (ThreadMessage & { runId: string })[] }
  >();
  const blobs = new Map<string, Uint8Array>();
  const tokenHashes = new Map<string, string>();

  const stamp = () => new Date(now()).toISOString();
  const audit = createMemoryAudit(stamp);
  const owned = (ownerId: string, runId: string) => {
    const run = runs.get(runId);
    return run?.view.ownerId === ownerId ? run : undefined;
  };
  const owner = (ownerId: string) => {
    const found = owners.get(ownerId) ?? { cap: null, drawn: 0 };
    owners.set(ownerId, found);
    return found;
  };
  const holds = (run: MemoryRun, lease: Lease) =>
    run.lease?.owner === lease.worker && run.epoch === lease.epoch;
  const live = (run: MemoryRun) => run.lease !== undefined && run.lease.until >= now();
  /** No live worker has a lease that ends later than this. */
  const horizon = (leaseMs: number) => now() + Math.max(4 * leaseMs, 60_000);
  const mayTakeOver = (until: number, { takeOverUntil, leaseMs }: ClaimRequest) =>
    now() < takeOverUntil &&
    (until < now() || (until > horizon(leaseMs) && takeOverUntil <= horizon(leaseMs)));

  const write = (run: MemoryRun, events: readonly NewEvent[], consume: readonly string[] = []) => {
    const createdAt = stamp();
    const detailsOf = ({ actionId, effectId, tool, digest }: ApprovalView) => ({
      actionId,
      effectId,
      tool,
      digest,
    });
    audit.add(
      run.view.ownerId,
      auditEntries(events, consume).map((entry) => {
        const used =
          entry.what === "approval.used" ? run.approvals.get(entry.approvalId ?? "") : undefined;
        return { ...entry, runId: run.view.id, ...(used && detailsOf(used)) };
      }),
    );
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
      threads.get(run.view.threadId)?.messages.push({ ...message, runId: run.view.id });
    return createdAt;
  };

  const wake = (run: MemoryRun, delayMs = 0) => {
    const wakeOfRun: Wake = {
      runId: run.view.id,
      ownerId: run.view.ownerId,
      wake: run.wakes,
      delayMs,
      held: live(run),
    };
    const here = !wakeOfRun.held && delayMs === 0 && waker?.takesHere() === true;
    queueMicrotask(() => waker?.committed(wakeOfRun, here));
  };

  const appendAndWake = (run: MemoryRun, events: readonly NewEvent[]) => {
    if (isTerminal(run.view.status)) return false;
    write(run, events);
    run.runnable = true;
    run.view = { ...run.view, runnable: true };
    run.wakes++;
    wake(run);
    return true;
  };

  const uploads = createMemoryUploads({
    now,
    uuid,
    keepBytes: (ownerId, digest, bytes) => blobs.set(`${ownerId} ${digest}`, new Uint8Array(bytes)),
    append(ownerId, runId, event) {
      const run = owned(ownerId, runId);
      return run && appendAndWake(run, [event]);
    },
  });

  const append = (request: AppendRequest): AppendResult => {
    const { lease, seen, consume = [], draw, release } = request;
    const run = owned(lease.ownerId, lease.runId);
    if (!run || !holds(run, lease)) return { ok: false, reason: "lost" };
    if (run.view.lastSeq !== seen) return { ok: false, reason: "moved" };
    const purse = owner(lease.ownerId);
    const left = purse.cap === null ? Number.POSITIVE_INFINITY : purse.cap - purse.drawn;
    if (draw && left < draw.needMicrousd) return { ok: false, reason: "budget" };
    const approvals = consume.map((id) => run.approvals.get(id));
    if (
      approvals.some(
        (approval) => approval?.state !== "approved" || Date.parse(approval.expiresAt) <= now(),
      )
    )
      return { ok: false, reason: "approval" };
    const amount = draw ? drawAmount(draw, left) : 0;
    purse.drawn += amount;
    run.drawnMicrousd += amount;
    for (const approval of approvals)
      if (approval) run.approvals.set(approval.id, { ...approval, state: "used" });
    const createdAt = write(run, request.events, consume);
    run.claims = 0;
    run.runnable = release === undefined;
    run.lease =
      release === undefined ? { owner: lease.worker, until: now() + request.leaseMs } : undefined;
    if (release === "end") {
      const spent = request.chargedMicrousd ?? run.view.spentMicrousd;
      const kept = run.drawnMicrousd > 0 ? spent : 0;
      purse.drawn = Math.max(0, purse.drawn - (run.drawnMicrousd - kept));
      run.drawnMicrousd = kept;
    }
    run.view = {
      ...run.view,
      runnable: run.runnable,
      spentMicrousd: request.chargedMicrousd ?? run.view.spentMicrousd,
      ...(release === "end" ? { finishedAt: createdAt } : {}),
    };
    return {
      ok: true,
      lastSeq: run.view.lastSeq,
      createdAt,
      drawnMicrousd: run.drawnMicrousd,
      ownerCapMicrousd: purse.cap,
    };
  };

  const bronOf = (ownerId: string, wanted: string | undefined) => {
    if (wanted !== undefined) {
      if (brons.get(wanted) !== ownerId)
        throw new BronError("not_found", `Bron ${wanted} not found.`);
      return wanted;
    }
    const known = [...brons].find(([, id]) => id === ownerId)?.[0];
    if (known !== undefined) return known;
    const made = uuid();
    brons.set(made, ownerId);
    return made;
  };

  const threadOf = (
    ownerId: string,
    input: { bronId?: string | undefined; threadId?: string | undefined },
  ) => {
    if (input.threadId !== undefined) {
      const thread = threads.get(input.threadId);
      if (thread?.ownerId !== ownerId)
        throw new BronError("not_found", `Thread ${input.threadId} not found.`);
      return { threadId: input.threadId, bronId: thread.bronId };
    }
    const bronId = bronOf(ownerId, input.bronId);
    const threadId = uuid();
    threads.set(threadId, { ownerId, bronId, messages: [] });
    return { threadId, bronId };
  };

  const cancelOne = (ownerId: string, run: MemoryRun, reason: string | undefined): boolean => {
    if (isTerminal(run.view.status) || run.view.cancelRequested) return false;
    return appendAndWake(run, [
      { type: "cancel", payload: { by: ownerId, ...omitUndefined({ reason }) } },
    ]);
  };
  const cancelTree = (ownerId: string, run: MemoryRun, reason: string | undefined): boolean => {
    for (const child of runs.values())
      if (child.view.parentRunId === run.view.id) cancelTree(ownerId, child, reason);
    return cancelOne(ownerId, run, reason);
  };

  /** Closes an approval by the owner's decision or by expiry. */
  const close = (run: MemoryRun, approval: ApprovalView, closing: ApprovalClosing) => {
    const { id: approvalId, actionId, effectId, tool, digest } = approval;
    const { state, undoMs = 0, ...fields } = closing;
    if (state === "expired" && isTerminal(run.view.status)) {
      const closed = { ...approval, state };
      run.approvals.set(approvalId, closed);
      audit.add(run.view.ownerId, [
        {
          what: "approval.expired",
          by: "system",
          runId: run.view.id,
          actionId,
          effectId,
          approvalId,
          tool,
          digest,
        },
      ]);
      return closed;
    }
    const undoUntil = now() + undoMs;
    const expiresAt = new Date(Date.parse(approval.expiresAt) + undoMs).toISOString();
    const event: NewEvent = {
      type: "approval",
      payload: {
        approvalId,
        actionId,
        effectId,
        tool,
        digest,
        state,
        ...(state === "expired" ? {} : { by: run.view.ownerId }),
        ...fields,
        ...(undoMs > 0 ? { undoUntil, expiresAt } : {}),
      },
    };
    if (!appendAndWake(run, [event]))
      throw new BronError("approval_closed", "The run has finished.");
    const closed: ApprovalView = {
      ...(run.approvals.get(approvalId) ?? approval),
      answer: fields.answer ?? null,
      expiresAt,
      undoUntil:
        undoMs > 0
          ? new Date(undoUntil).toISOString()
          : fields.undone === true
            ? approval.undoUntil
            : null,
    };
    run.approvals.set(approvalId, closed);
    return closed;
  };

  /** Returns an approval that is still pending and matches the digest that the owner saw. */
  const pending = ({
    ownerId,
    approvalId,
    digest,
  }: {
    readonly ownerId: string;
    readonly approvalId: string;
    readonly digest: string;
  }) => {
    const found = known(ownerId, approvalId);
    const { approval } = found;
    if (approval.state !== "pending")
      throw new BronError("approval_closed", `This approval is ${approval.state}.`, {
        details: { state: approval.state },
      });
    if (Date.parse(approval.expiresAt) <= now())
      throw new BronError("approval_closed", "This approval has expired.", {
        details: { state: "expired" },
      });
    if (approval.digest !== digest)
      throw new BronError("digest_mismatch", "The content changed since you reviewed it.");
    return found;
  };

  const known = (ownerId: string, approvalId: string) => {
    const approval = allApprovals(ownerId).find(({ id }) => id === approvalId);
    const run = approval && runs.get(approval.runId);
    if (!approval || !run) throw new BronError("not_found", `Approval ${approvalId} not found.`);
    return { approval, run };
  };

  const withEffect = (ownerId: string, effectId: string) =>
    [...runs.values()].find(
      ({ view, effects }) => view.ownerId === ownerId && effects.has(effectId),
    );

  const allApprovals = (ownerId: string) =>
    [...runs.values()]
      .filter(({ view }) => view.ownerId === ownerId)
      .flatMap((run) => [...run.approvals.values()]);

  return {
    log: {
      async claim(request) {
        const { runId, worker, leaseMs, maxPerOwner, maxInAll } = request;
        const run = runs.get(runId);
        if (!run?.runnable || isTerminal(run.view.status))
          return { claimed: false, reason: "not_runnable" };
        if (run.logVersion > logVersion) return { claimed: false, reason: "too_new" };
        if (run.wakeAt > now() && !run.view.cancelRequested)
          return { claimed: false, reason: "too_early" };
        if (run.lease && run.lease.owner !== worker && !mayTakeOver(run.lease.until, request))
          return { claimed: false, reason: "taken" };
        const others = [...runs.values()].filter(
          (other) => other !== run && live(other) && (other.lease?.until ?? 0) <= horizon(leaseMs),
        );
        if (
          others.length >= maxInAll ||
          others.filter(({ view }) => view.ownerId === run.view.ownerId).length >= maxPerOwner
        )
          return { claimed: false, reason: "limit" };
        run.epoch++;
        // A worker that takes up a run that it dropped itself has not failed on it.
        if (run.lease?.owner !== worker) run.claims++;
        run.lease = { owner: worker, until: now() + leaseMs };
        const { id, ownerId, bronId, threadId, caps, lastSeq } = run.view;
        return {
          claimed: true,
          lease: { runId: id, ownerId, worker, epoch: run.epoch },
          run: {
            id,
            ownerId,
            bronId,
            threadId,
            caps,
            attachedContext: run.attachedContext ?? [],
            ownerCapMicrousd: owner(ownerId).cap,
          },
          lastSeq,
          events: structuredClone(run.events),
          drawnMicrousd: run.drawnMicrousd,
          claimsWithoutProgress: run.claims,
          databaseNow: now(),
        };
      },
      read: async ({ runId, ownerId }, afterSeq) =>
        structuredClone(owned(ownerId, runId)?.events.slice(afterSeq) ?? []),
      append: async (request) => append(request),
      async release(lease, { delayMs, keepCount }) {
        const run = owned(lease.ownerId, lease.runId);
        if (!run || !holds(run, lease)) return false;
        run.lease = undefined;
        run.wakeAt = now() + delayMs;
        if (!keepCount) run.claims = Math.max(0, run.claims - 1);
        return true;
      },
      async renew(worker, leases, leaseMs) {
        const kept = leases.flatMap((lease) => {
          const run = runs.get(lease.runId);
          if (!run || !holds(run, { ...lease, worker })) return [];
          run.lease = { owner: worker, until: now() + leaseMs };
          return [{ runId: lease.runId, epoch: lease.epoch, lastSeq: run.view.lastSeq }];
        });
        return { kept, databaseNow: now() };
      },
    },
    runs: {
      async create({
        ownerId,
        input,
        title,
        caps,
        idempotencyKey,
        parent: parentRef,
        retry,
        earlier = [],
      }) {
        const existing =
          idempotencyKey === undefined
            ? undefined
            : [...runs.values()].find(
                (run) => run.view.ownerId === ownerId && run.idempotencyKey === idempotencyKey,
              );
        if (existing && existing.view.prompt !== input.prompt)
          throw new BronError(
            "conflict",
            "This idempotency key was already used for another task.",
          );
        if (existing) return existing.view;
        const parent = parentRef && owned(ownerId, parentRef.runId);
        if (parentRef && !parent)
          throw new BronError("not_found", `Run ${parentRef.runId} not found.`);
        if (parent && (parent.view.cancelRequested || isTerminal(parent.view.status)))
          throw new BronError("conflict", "The parent run was canceled or has finished.");
        const childCount = [...runs.values()].filter(
          ({ view }) => view.parentRunId === parentRef?.runId,
        ).length;
        if (parentRef?.maxChildren !== undefined && childCount >= parentRef.maxChildren)
          throw new BronError(
            "cap_children",
            `This task already started ${childCount} subtasks, the limit for one task. Do the rest here.`,
          );
        owner(ownerId);
        const uploaded = uploads.claim(ownerId, input.uploadIds ?? []);
        const inherited =
          (retry &&
            owned(ownerId, retry.runId)?.artifacts.filter(({ kind }) => kind === uploadKind)) ??
          [];
        const { threadId, bronId } = threadOf(ownerId, input);
        const thread = threads.get(threadId);
        if (thread?.messages.length === 0)
          thread.messages.push(
            ...earlier.map(({ role, content }) => ({
              role,
              content,
              trusted: role === "user",
              runId: "",
            })),
          );
        const id = uuid();
        const view: RunView = {
          id,
          ownerId,
          bronId,
          threadId,
          parentRunId: parentRef?.runId ?? null,
          retryOf: retry?.runId ?? null,
          title,
          prompt: input.prompt,
          status: "queued",
          cancelRequested: false,
          runnable: true,
          summary: null,
          notDone: 0,
          error: null,
          caps,
          lastSeq: 0,
          spentMicrousd: 0,
          createdAt: stamp(),
          startedAt: null,
          finishedAt: null,
        };
        const run: MemoryRun = {
          view,
          attachedContext:
            (retry && owned(ownerId, retry.runId)?.attachedContext) ?? input.attachedContext,
          idempotencyKey,
          logVersion,
          events: [],
          actions: new Map(),
          effects: new Map(),
          approvals: new Map(),
          artifacts: [],
          runnable: true,
          wakes: 1,
          wakeAt: now() + (input.delayMs ?? 0),
          lease: undefined,
          epoch: 0,
          claims: 0,
          drawnMicrousd: 0,
          reportedToParent: "running",
        };
        runs.set(id, run);
        write(run, [
          {
            type: "status",
            payload: {
              status: "queued",
              ...(retry ? { retry } : {}),
              ...(parentRef ? { parentRunId: parentRef.runId } : {}),
            },
          },
          {
            type: "message",
            payload: {
              role: "user",
              content: input.prompt,
              ...(parentRef ? { from: "parent", trusted: parentRef.trusted === true } : {}),
            },
          },
          ...[
            ...uploaded.files,
            ...inherited.map(({ kind, name, mediaType, digest, sizeBytes }) => ({
              artifactId: uuid(),
              kind,
              name,
              mediaType,
              digest,
              sizeBytes,
            })),
          ].map((payload) => ({ type: "artifact" as const, payload })),
        ]);
        uploaded.take(id);
        wake(run, input.delayMs ?? 0);
        if (parent && parentRef) {
          appendAndWake(parent, [childRunStarted(parentRef, { id, title })]);
        }
        return run.view;
      },
      get: async (ownerId, runId) => owned(ownerId, runId)?.view,
      async list(ownerId, { status, bronId, idPrefix = "", limit = 50, before }) {
        const mine = [...runs.values()]
          .filter(({ view }) => view.ownerId === ownerId)
          .map(({ view }) => view)
          .toReversed();
        const found = mine.findIndex(({ id }) => id === before);
        if (before !== undefined && found === -1) return [];
        const from = found + 1;
        return mine
          .slice(from)
          .filter(
            (view) =>
              view.id.startsWith(idPrefix) &&
              (status === undefined || view.status === status) &&
              (bronId === undefined || view.bronId === bronId),
          )
          .slice(0, limit);
      },
      async changes(ownerIds, { runIds, active = false }) {
        const asked = [...runs.values()].filter(
          ({ view }) =>
            ownerIds.includes(view.ownerId) &&
            (runIds.includes(view.id) || (active && !isTerminal(view.status))),
        );
        return asked.map(({ view }) => ({
          run: view,
          pendingApprovals: allApprovals(view.ownerId).filter(({ state }) => state === "pending")
            .length,
        }));
      },
      events: async (ownerId, runId, afterSeq, limit = 1_000) =>
        structuredClone(owned(ownerId, runId)?.events.slice(afterSeq, afterSeq + limit) ?? []),
      async counts(ownerId) {
        const counts: Partial<Record<RunStatus, number>> = {};
        for (const { view } of runs.values()) {
          const before = counts[view.status] ?? 0;
          if (view.ownerId === ownerId && !(isTerminal(view.status) && before === maxCountedRuns))
            counts[view.status] = before + 1;
        }
        return counts;
      },
      async actions(ownerId, runId) {
        const run = owned(ownerId, runId);
        const details = actionDetails(run?.events ?? []);
        return [...(run?.actions.values() ?? [])].map((action) => ({
          ...action,
          ...details.get(action.id),
        }));
      },
      effects: async (ownerId, runId) => [...(owned(ownerId, runId)?.effects.values() ?? [])],
      async announceConnected(ownerId, provider) {
        const started = [...runs.values()].filter(
          ({ view }) =>
            view.ownerId === ownerId && view.status !== "queued" && !isTerminal(view.status),
        );
        for (const run of started)
          appendAndWake(run, [{ type: "auth", payload: { state: "connected", provider } }]);
        return started.length;
      },
      async notifyParents(only) {
        let notified = 0;
        for (const child of runs.values()) {
          const { id, ownerId, parentRunId, title, status, error, notDone, cancelRequested } =
            child.view;
          const parent = parentRunId === null ? undefined : runs.get(parentRunId);
          if (!parent || (only && !only.includes(id) && !only.includes(parent.view.id))) continue;
          const phase = isTerminal(status) ? "finished" : isParked(status) ? "waiting" : "running";
          const isOrphaned = isTerminal(parent.view.status) && !isTerminal(status);
          if (isOrphaned ? cancelRequested : child.reportedToParent === phase) continue;
          notified++;
          if (isOrphaned) {
            cancelTree(ownerId, child, "The parent task has ended.");
            continue;
          }
          appendAndWake(parent, [
            {
              type: "child_run",
              payload: {
                childRunId: id,
                title,
                status,
                ...(error ? { error } : {}),
                ...(notDone > 0 ? { notDone } : {}),
              },
            },
          ]);
          child.reportedToParent = phase;
        }
        return notified;
      },
      async requestCancel(ownerId, runId, reason) {
        const run = owned(ownerId, runId);
        if (!run) throw new BronError("not_found", `Run ${runId} not found.`);
        return cancelTree(ownerId, run, reason);
      },
      async requestCancelAll(ownerId, reason) {
        const canceled = [...runs.values()]
          .filter((run) => run.view.ownerId === ownerId && cancelOne(ownerId, run, reason))
          .map(({ view }) => view.id);
        audit.add(ownerId, [
          {
            what: "owner.stopped",
            by: "owner",
            details: { runs: canceled.length, ...omitUndefined({ reason }) },
          },
        ]);
        return canceled.toSorted();
      },
    },
    approvals: {
      get: async (ownerId, approvalId) => allApprovals(ownerId).find(({ id }) => id === approvalId),
      async list(ownerId, { runId, pendingOnly, idPrefix = "", limit = 500, after }) {
        const all = allApprovals(ownerId);
        return all
          .slice(
            after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1 || all.length,
          )
          .filter(
            (approval) =>
              approval.id.startsWith(idPrefix) &&
              (runId === undefined ||
                approval.runId === runId ||
                runs.get(approval.runId)?.view.parentRunId === runId) &&
              (pendingOnly !== true || approval.state === "pending"),
          )
          .slice(0, limit);
      },
      async decide({ ownerId, approvalId, digest, approved, reason, tokenHash, undoMs, reply }) {
        const { run, approval } = pending({ ownerId, approvalId, digest });
        if (approved && tokenHash !== undefined) tokenHashes.set(approvalId, tokenHash);
        const why = reason === undefined ? {} : { reason };
        return close(
          run,
          approval,
          approved
            ? { state: "approved", ...why, ...omitUndefined({ undoMs }) }
            : { state: "denied", ...why, ...omitUndefined({ answer: reply }) },
        );
      },
      async edit({ changes, ...seen }) {
        const { run, approval } = pending(seen);
        return close(run, approval, { state: "superseded", edit: changes });
      },
      async undo(ownerId, approvalId) {
        const { run, approval } = known(ownerId, approvalId);
        if (approval.state !== "approved")
          throw new BronError("approval_closed", `This approval is ${approval.state}.`, {
            details: { state: approval.state },
          });
        if (approval.undoUntil === null || Date.parse(approval.undoUntil) <= now())
          throw new BronError("approval_closed", "Too late to undo.");
        return close(run, approval, { state: "denied", undone: true });
      },
      usedTokenHash: async (ownerId, approvalId) =>
        allApprovals(ownerId).some(({ id, state }) => id === approvalId && state === "used")
          ? tokenHashes.get(approvalId)
          : undefined,
      async expireDue() {
        const due = [...runs.values()].flatMap((run) =>
          [...run.approvals.values()]
            .filter(({ state, expiresAt }) => state === "pending" && Date.parse(expiresAt) <= now())
            .map((approval) => ({ run, approval })),
        );
        for (const { run, approval } of due) close(run, approval, { state: "expired" });
        return due.length;
      },
    },
    artifacts: {
      async put({ ownerId, bytes }) {
        const digest = await sha256(new Uint8Array(bytes));
        blobs.set(`${ownerId} ${digest}`, new Uint8Array(bytes));
        return { artifactId: uuid(), digest, sizeBytes: bytes.length };
      },
      list: async (ownerId, runId) => owned(ownerId, runId)?.artifacts ?? [],
      read: async (ownerId, digest) => blobs.get(`${ownerId} ${digest}`),
      async open(ownerId, digest) {
        const bytes = blobs.get(`${ownerId} ${digest}`);
        return bytes && { sizeBytes: bytes.length, chunks: [bytes] };
      },
    },
    uploads,
    threads: {
      async tail(ownerId, threadId, beforeRunId, limit) {
        const thread = threads.get(threadId);
        if (thread?.ownerId !== ownerId) return [];
        const own = thread.messages.findIndex(({ runId }) => runId === beforeRunId);
        return thread.messages
          .slice(0, own === -1 ? 0 : own)
          .slice(-limit)
          .map(({ role, content, trusted }) => ({ role, content, trusted }));
      },
      profile: async (ownerId, bronId) =>
        brons.get(bronId) === ownerId ? { persona: "", aboutUser: "" } : undefined,
    },
    audit: { write: audit.write, list: audit.list },
    effects: {
      get: async (ownerId, effectId) => withEffect(ownerId, effectId)?.effects.get(effectId),
      listUnknown: async (ownerId) =>
        [...runs.values()]
          .filter(({ view }) => view.ownerId === ownerId)
          .flatMap(({ effects }) =>
            [...effects.values()].filter(({ state, settled }) => state === "unknown" && !settled),
          )
          .toReversed(),
      async settle({ ownerId, effectId, as, note }) {
        const run = withEffect(ownerId, effectId);
        const effect = run?.effects.get(effectId);
        if (!run || !effect) throw new BronError("not_found", `Effect ${effectId} not found.`);
        if (effect.state !== "unknown" || effect.settled)
          throw new BronError("conflict", "The outcome of this effect is already known.");
        const settled = { ...effect, settled: { as, at: stamp(), note: note ?? null } };
        run.effects.set(effectId, settled);
        if (as === "happened")
          run.view = { ...run.view, notDone: Math.max(0, run.view.notDone - 1) };
        const { runId, actionId, tool, digest } = effect;
        audit.add(ownerId, [
          {
            what: "effect.settled",
            by: "owner",
            runId,
            actionId,
            effectId,
            tool,
            digest,
            details: { as, ...omitUndefined({ note }) },
          },
        ]);
        return settled;
      },
    },
    budgets: {
      async setOwnerCap(ownerId, capMicrousd) {
        owner(ownerId).cap = capMicrousd;
      },
      ownerSpending: async (ownerId) => ({
        capMicrousd: owner(ownerId).cap,
        drawnMicrousd: owner(ownerId).drawn,
      }),
    },
  };
}
