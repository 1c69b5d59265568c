import { randomUUID } from "node:crypto";
import type { AppendRequest, ClaimRequest, Lease, Store, Wake } from "@bron/core";
import { BronError } from "@bron/core";
import { defaultCaps, type NewEvent, type RunStatus } from "@bron/protocol";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

export interface StoreUnderTest {
  readonly store: Store;
  readonly wakes: readonly Wake[];
  /**
   * Ages everything in the store by this time, on the store's own clock, without waiting. The times
   * in these tests leave room for a machine that stalls.
   */
  passTime(ms: number): Promise<void>;
  close(): Promise<void>;
}

/** The contract of every store. It runs on the in-memory store and on Postgres. */
export function storeContract(name: string, open: () => Promise<StoreUnderTest>): void {
  describe(`store contract: ${name}`, () => {
    let under: StoreUnderTest;
    let store: Store;
    beforeAll(async () => {
      under = await open();
      store = under.store;
    });
    afterAll(async () => await under.close());

    const leaseMs = 60_000;
    const moreThanALeaseMs = 61_000;
    const freshOwner = () => `owner-${randomUUID()}`;
    const createRun = (
      ownerId: string,
      extra: Partial<Parameters<Store["runs"]["create"]>[0]> = {},
    ) =>
      store.runs.create({
        ownerId,
        input: { prompt: "say hello" },
        title: "say hello",
        caps: defaultCaps,
        ...extra,
      });
    const claimOf = (runId: string, extra: Partial<ClaimRequest> = {}): ClaimRequest => ({
      runId,
      worker: "w1",
      leaseMs,
      takeOverUntil: Date.parse("2100-01-01"),
      maxPerOwner: 100,
      maxInAll: 10_000,
      ...extra,
    });
    const claim = async (runId: string, extra: Partial<ClaimRequest> = {}) => {
      const claimed = await store.log.claim(claimOf(runId, extra));
      if (!claimed.claimed) throw new BronError("internal", `not claimed: ${claimed.reason}`);
      return claimed;
    };
    const appendOf = (
      lease: Lease,
      seen: number,
      events: NewEvent[],
      extra: Partial<AppendRequest> = {},
    ): AppendRequest => ({ lease, seen, events, leaseMs, chargedMicrousd: 0, ...extra });
    const note = (message: string): NewEvent => ({
      type: "log",
      payload: { level: "info", message },
    });
    const call = { actionId: "", callId: "c1", tool: "post", input: { text: "hi" } };

    /** Creates a run that is parked on one approval. */
    const parkedRun = async (
      ownerId = freshOwner(),
      expiresInMs = 60_000,
      extra: Parameters<typeof createRun>[1] = {},
    ) => {
      const run = await createRun(ownerId, extra);
      const { lease, databaseNow } = await claim(run.id);
      const [actionId, effectId, approvalId] = [randomUUID(), randomUUID(), randomUUID()];
      const digest = `sha256:${effectId}`;
      const expiresAt = new Date(databaseNow + expiresInMs).toISOString();
      const events: NewEvent[] = [
        {
          type: "step",
          payload: {
            phase: "end",
            step: 1,
            attempt: 1,
            finish: "tool-calls",
            calls: [{ ...call, actionId }],
          },
        },
        {
          type: "effect",
          payload: {
            effectId,
            actionId,
            tool: "post",
            state: "awaiting_confirmation",
            digest,
            prepared: { text: "hi" },
            preview: "post hi",
          },
        },
        {
          type: "approval",
          payload: {
            approvalId,
            actionId,
            effectId,
            tool: "post",
            digest,
            state: "requested",
            reason: "because",
            preview: "post hi",
            expiresAt,
          },
        },
        { type: "status", payload: { status: "awaiting_confirmation" } },
      ];
      expect(await store.log.append(appendOf(lease, 2, events, { release: "park" }))).toMatchObject(
        { ok: true, lastSeq: 6 },
      );
      return { run, ownerId, actionId, effectId, approvalId, digest, lease };
    };

    it("RT12 stores a new run with its user message, queued and runnable, and calls the waker", async () => {
      const ownerId = freshOwner();
      const run = await createRun(ownerId);
      expect(run).toMatchObject({
        ownerId,
        status: "queued",
        prompt: "say hello",
        lastSeq: 2,
        error: null,
      });
      const events = await store.runs.events(ownerId, run.id, 0);
      expect(events.map(({ seq, type, payload }) => ({ seq, type, payload }))).toEqual([
        { seq: 1, type: "status", payload: { status: "queued" } },
        { seq: 2, type: "message", payload: { role: "user", content: "say hello" } },
      ]);
      await expect
        .poll(() =>
          under.wakes.some(
            (wake) => wake.runId === run.id && wake.ownerId === ownerId && !wake.held,
          ),
        )
        .toBe(true);
    });

    it("returns the same run for the same idempotency key, and rejects the key for another task", async () => {
      const ownerId = freshOwner();
      const runs = await Promise.all(
        Array.from({ length: 8 }, () => createRun(ownerId, { idempotencyKey: "k" })),
      );
      expect(new Set(runs.map((run) => run.id)).size).toBe(1);
      await expect(
        createRun(ownerId, { idempotencyKey: "k", input: { prompt: "other" } }),
      ).rejects.toMatchObject({ code: "conflict" });
      expect((await createRun(freshOwner(), { idempotencyKey: "k" })).id).not.toBe(runs[0]?.id);
    });

    it("RT12 shows nothing of one owner to another", async () => {
      const { run, ownerId, approvalId, effectId, digest } = await parkedRun();
      const stranger = freshOwner();
      expect(await store.runs.get(stranger, run.id)).toBeUndefined();
      expect(await store.runs.events(stranger, run.id, 0)).toEqual([]);
      expect(await store.runs.list(stranger, {})).toEqual([]);
      expect(await store.runs.actions(stranger, run.id)).toEqual([]);
      expect(await store.runs.effects(stranger, run.id)).toEqual([]);
      expect(await store.approvals.list(stranger, {})).toEqual([]);
      expect(await store.approvals.get(stranger, approvalId)).toBeUndefined();
      expect(await store.threads.tail(stranger, run.threadId, run.id, 10)).toEqual([]);
      expect(await store.threads.profile(stranger, run.bronId)).toBeUndefined();
      await expect(
        store.approvals.decide({ ownerId: stranger, approvalId, digest, approved: true }),
      ).rejects.toMatchObject({ code: "not_found" });
      expect(await store.audit.list(stranger, {})).toEqual([]);
      expect(await store.audit.list(stranger, { runId: run.id })).toEqual([]);
      expect(await store.effects.get(stranger, effectId)).toBeUndefined();
      await expect(
        store.effects.settle({ ownerId: stranger, effectId, as: "happened" }),
      ).rejects.toMatchObject({ code: "not_found" });
      await expect(store.runs.requestCancel(stranger, run.id)).rejects.toMatchObject({
        code: "not_found",
      });
      await expect(
        createRun(stranger, { input: { prompt: "x", threadId: run.threadId } }),
      ).rejects.toMatchObject({ code: "not_found" });
      await expect(
        createRun(stranger, { input: { prompt: "x", bronId: run.bronId } }),
      ).rejects.toMatchObject({ code: "not_found" });
      expect((await store.runs.get(ownerId, run.id))?.status).toBe("awaiting_confirmation");
    });

    it("gives the lease to exactly one of many claimers", async () => {
      const run = await createRun(freshOwner());
      const claims = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          store.log.claim(claimOf(run.id, { worker: `w${index}` })),
        ),
      );
      expect(claims.filter(({ claimed }) => claimed)).toHaveLength(1);
      expect(claims.filter((one) => !one.claimed && one.reason === "taken")).toHaveLength(11);
    });

    it("lets an expired lease be taken over, but not by a worker whose own heartbeats are interrupted", async () => {
      const run = await createRun(freshOwner());
      const first = await claim(run.id);
      await under.passTime(moreThanALeaseMs);
      expect(
        await store.log.claim(claimOf(run.id, { worker: "w2", takeOverUntil: 0 })),
      ).toMatchObject({ claimed: false, reason: "taken" });
      const second = await claim(run.id, { worker: "w2" });
      expect(second.lease.epoch).toBe(first.lease.epoch + 1);
      expect(await store.log.append(appendOf(first.lease, 2, [note("late")]))).toEqual({
        ok: false,
        reason: "lost",
      });
      expect(await store.log.append(appendOf(second.lease, 2, [note("mine")]))).toMatchObject({
        ok: true,
        lastSeq: 3,
      });
    });

    it("X2 lets a lease be taken over that ends too late because the clock was set back after its holder died", async () => {
      const run = await createRun(freshOwner());
      const dead = await claim(run.id, { worker: "dead", leaseMs: 3_600_000 });
      // The worker's last heartbeat was before the clock change, so it waits for another one first.
      expect(await store.log.claim(claimOf(run.id, { worker: "w2" }))).toMatchObject({
        claimed: false,
        reason: "taken",
      });
      expect(
        await store.log.claim(claimOf(run.id, { worker: "w2", takeOverUntil: 0 })),
      ).toMatchObject({ claimed: false, reason: "taken" });
      const next = await claim(run.id, { worker: "w2", takeOverUntil: dead.databaseNow + 30_000 });
      expect(next.lease.epoch).toBe(dead.lease.epoch + 1);
      expect(await store.log.append(appendOf(dead.lease, 2, [note("late")]))).toEqual({
        ok: false,
        reason: "lost",
      });
    });

    it("does not count a lease that ends too late among the active runs", async () => {
      const ownerId = freshOwner();
      const [left, next] = [await createRun(ownerId), await createRun(ownerId)];
      await claim(left.id, { worker: "dead", leaseMs: 3_600_000 });
      expect(await store.log.claim(claimOf(next.id, { maxPerOwner: 1 }))).toMatchObject({
        claimed: true,
      });
    });

    it("lets a worker claim its own lease again at any time, under a new epoch", async () => {
      const run = await createRun(freshOwner());
      const first = await claim(run.id);
      const second = await claim(run.id, { takeOverUntil: 0 });
      expect(second.lease.epoch).toBe(first.lease.epoch + 1);
      expect(await store.log.append(appendOf(first.lease, 2, [note("old")]))).toEqual({
        ok: false,
        reason: "lost",
      });
    });

    it("BR5 rejects a claim of a run that is parked, finished, delayed or above a limit", async () => {
      const { run } = await parkedRun();
      expect(await store.log.claim(claimOf(run.id))).toMatchObject({
        claimed: false,
        reason: "not_runnable",
      });
      const ownerId = freshOwner();
      const delayed = await createRun(ownerId, { input: { prompt: "later", delayMs: 60_000 } });
      expect(await store.log.claim(claimOf(delayed.id))).toMatchObject({
        claimed: false,
        reason: "too_early",
      });
      const [one, two] = [await createRun(ownerId), await createRun(ownerId)];
      await claim(one.id);
      expect(await store.log.claim(claimOf(two.id, { maxPerOwner: 1 }))).toMatchObject({
        claimed: false,
        reason: "limit",
      });
      expect(await store.log.claim(claimOf(two.id, { maxInAll: 1 }))).toMatchObject({
        claimed: false,
        reason: "limit",
      });
      expect(await store.log.claim(claimOf(randomUUID()))).toMatchObject({
        claimed: false,
        reason: "not_runnable",
      });
    });

    it("never allows more claims than the limit under concurrency", async () => {
      const ownerId = freshOwner();
      const runs = await Promise.all(Array.from({ length: 12 }, () => createRun(ownerId)));
      const claims = await Promise.all(
        runs.map((run, index) =>
          store.log.claim(claimOf(run.id, { worker: `w${index % 3}`, maxPerOwner: 4 })),
        ),
      );
      expect(claims.filter(({ claimed }) => claimed)).toHaveLength(4);
    });

    it("BR19 appends with seq from 1 without gaps, and only at the end that the writer saw", async () => {
      const ownerId = freshOwner();
      const run = await createRun(ownerId);
      const { lease, lastSeq } = await claim(run.id);
      expect(lastSeq).toBe(2);
      expect(await store.log.append(appendOf(lease, 1, [note("stale")]))).toEqual({
        ok: false,
        reason: "moved",
      });
      expect(await store.log.append(appendOf(lease, 3, [note("ahead")]))).toEqual({
        ok: false,
        reason: "moved",
      });
      expect(await store.log.append(appendOf(lease, 2, [note("a"), note("b")]))).toMatchObject({
        ok: true,
        lastSeq: 4,
      });
      const results = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          store.log.append(appendOf(lease, 4, [note(`race ${index}`)])),
        ),
      );
      expect(results.filter((result) => result.ok)).toHaveLength(1);
      expect((await store.runs.events(ownerId, run.id, 0)).map(({ seq }) => seq)).toEqual([
        1, 2, 3, 4, 5,
      ]);
      expect((await store.log.read(lease, 3)).map(({ seq }) => seq)).toEqual([4, 5]);
    });

    it("BR19 stores any text: NUL, an unpaired surrogate, quotes, emoji", async () => {
      const ownerId = freshOwner();
      const run = await createRun(ownerId, { input: { prompt: "a\u0000b \\u0000 “q” 🙂" } });
      const { lease } = await claim(run.id);
      const odd = {
        type: "tool",
        payload: {
          phase: "end",
          actionId: randomUUID(),
          name: "x",
          outcome: "completed",
          output: { "k\u0000": "v\ud800w", path: "C:\\u0000\\dir" },
        },
      } as const;
      const result = await store.log.append(appendOf(lease, 2, [odd]));
      expect(result.ok).toBe(true);
      const [event] = await store.runs.events(ownerId, run.id, 2);
      expect(JSON.stringify(event?.payload)).toContain("C:\\\\u0000\\\\dir");
      expect(await store.runs.list(ownerId, { before: randomUUID() })).toEqual([]);
      expect(await store.runs.counts(ownerId)).toEqual({ queued: 1 });
    });

    it("BR8 writes projections in the transaction of their events, and none when the append is rejected", async () => {
      const { run, ownerId, actionId, effectId, approvalId, digest, lease } = await parkedRun();
      expect(await store.runs.get(ownerId, run.id)).toMatchObject({
        status: "awaiting_confirmation",
        lastSeq: 6,
      });
      expect(await store.runs.actions(ownerId, run.id)).toMatchObject([
        { id: actionId, tool: "post", state: "awaiting_confirmation", input: { text: "hi" } },
      ]);
      expect(await store.runs.effects(ownerId, run.id)).toMatchObject([
        { id: effectId, state: "awaiting_confirmation", digest, attempts: 0 },
      ]);
      expect(await store.approvals.list(ownerId, { runId: run.id })).toMatchObject([
        { id: approvalId, state: "pending", prepared: { text: "hi" }, preview: "post hi" },
      ]);
      const late: NewEvent = {
        type: "tool",
        payload: { phase: "end", actionId, name: "post", outcome: "completed", output: 1 },
      };
      expect(await store.log.append(appendOf(lease, 6, [late]))).toMatchObject({ ok: false });
      expect(await store.runs.actions(ownerId, run.id)).toMatchObject([
        { state: "awaiting_confirmation", output: null },
      ]);
    });

    it("releases the lease with the park and with the end, in the same statement", async () => {
      const { run, ownerId, approvalId, digest } = await parkedRun();
      await store.approvals.decide({ ownerId, approvalId, digest, approved: false, reason: "no" });
      const again = await claim(run.id, { worker: "w2" });
      const end: NewEvent[] = [
        {
          type: "message",
          payload: { role: "assistant", content: "bye", step: 2, final: true, parts: [] },
        },
        { type: "status", payload: { status: "completed" } },
      ];
      expect(
        await store.log.append(appendOf(again.lease, 7, end, { release: "end" })),
      ).toMatchObject({ ok: true });
      expect(await store.runs.get(ownerId, run.id)).toMatchObject({
        status: "completed",
        summary: "bye",
        finishedAt: expect.any(String),
      });
      expect(await store.log.claim(claimOf(run.id))).toMatchObject({
        claimed: false,
        reason: "not_runnable",
      });
    });

    it("BR14 decides once, and rejects a second decision, a wrong digest and an expired approval", async () => {
      const { ownerId, approvalId, digest, run } = await parkedRun();
      await expect(
        store.approvals.decide({ ownerId, approvalId, digest: "sha256:other", approved: true }),
      ).rejects.toMatchObject({ code: "digest_mismatch" });
      const decisions = await Promise.allSettled(
        Array.from({ length: 6 }, (_, index) =>
          store.approvals.decide({ ownerId, approvalId, digest, approved: index % 2 === 0 }),
        ),
      );
      expect(decisions.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const decision of decisions)
        if (decision.status === "rejected")
          expect(decision.reason).toMatchObject({ code: "approval_closed" });
      expect(
        (await store.runs.events(ownerId, run.id, 6)).filter(({ type }) => type === "approval"),
      ).toHaveLength(1);
      const short = await parkedRun(freshOwner(), 60_000);
      await under.passTime(61_000);
      await expect(
        store.approvals.decide({
          ownerId: short.ownerId,
          approvalId: short.approvalId,
          digest: short.digest,
          approved: true,
        }),
      ).rejects.toMatchObject({ code: "approval_closed" });
      expect(await store.approvals.expireDue()).toBeGreaterThan(0);
      expect(await store.approvals.get(short.ownerId, short.approvalId)).toMatchObject({
        state: "expired",
      });
      expect(await store.log.claim(claimOf(short.run.id))).toMatchObject({ claimed: true });
    });

    it("X1 supersedes an approval by an edit, once, with the changes in the log and the audit log", async () => {
      const { run, ownerId, approvalId, actionId, effectId, digest } = await parkedRun();
      const changes = { to: ["eva@x.example"], note: null, text: "a\u0000b" };
      await expect(
        store.approvals.edit({ ownerId: freshOwner(), approvalId, digest, changes }),
      ).rejects.toMatchObject({ code: "not_found" });
      await expect(
        store.approvals.edit({ ownerId, approvalId, digest: "sha256:other", changes }),
      ).rejects.toMatchObject({ code: "digest_mismatch" });
      const edits = await Promise.allSettled(
        Array.from({ length: 4 }, () =>
          store.approvals.edit({ ownerId, approvalId, digest, changes }),
        ),
      );
      expect(edits.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await expect(
        store.approvals.decide({ ownerId, approvalId, digest, approved: true }),
      ).rejects.toMatchObject({ code: "approval_closed" });
      expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({
        state: "superseded",
        prepared: { text: "hi" },
        difference: [],
        answer: null,
        undoUntil: null,
      });
      expect(await store.runs.events(ownerId, run.id, 6)).toMatchObject([
        {
          seq: 7,
          type: "approval",
          payload: {
            approvalId,
            actionId,
            effectId,
            digest,
            state: "superseded",
            by: ownerId,
            edit: { to: ["eva@x.example"], note: null },
          },
        },
      ]);
      expect(await store.audit.list(ownerId, { limit: 1 })).toMatchObject([
        {
          what: "approval.superseded",
          by: "owner",
          details: { edited: expect.arrayContaining(["to", "note", "text"]) },
        },
      ]);
      expect(await store.log.claim(claimOf(run.id))).toMatchObject({ claimed: true });
    });

    it("X1 stores replies and edits", async () => {
      const { run, ownerId, approvalId, actionId, digest } = await parkedRun();
      expect(
        await store.approvals.decide({
          ownerId,
          approvalId,
          digest,
          approved: false,
          reply: "shorter",
        }),
      ).toMatchObject({ state: "denied", answer: "shorter" });
      expect(await store.runs.events(ownerId, run.id, 6)).toMatchObject([
        { payload: { state: "denied", answer: "shorter" } },
      ]);
      expect(await store.audit.list(ownerId, { limit: 1 })).toMatchObject([
        { what: "approval.denied", details: { answer: "shorter" } },
      ]);
      const { lease } = await claim(run.id);
      const next = { approvalId: randomUUID(), effectId: randomUUID() };
      const difference = [{ field: "text", before: "hi", after: "ho" }];
      const events: NewEvent[] = [
        {
          type: "effect",
          payload: {
            effectId: next.effectId,
            actionId,
            tool: "post",
            state: "awaiting_confirmation",
            digest: "sha256:next",
            prepared: { text: "ho" },
            preview: "post ho",
          },
        },
        {
          type: "approval",
          payload: {
            ...next,
            actionId,
            tool: "post",
            digest: "sha256:next",
            state: "requested",
            reason: "edited",
            preview: "post ho",
            expiresAt: "2100-01-01T00:00:00.000Z",
            difference,
          },
        },
      ];
      expect(await store.log.append(appendOf(lease, 7, events, { release: "park" }))).toMatchObject(
        { ok: true },
      );
      expect(await store.approvals.get(ownerId, next.approvalId)).toMatchObject({
        state: "pending",
        prepared: { text: "ho" },
        difference,
      });
    });

    it("X1 lets an approval be undone until its undo time, and no longer", async () => {
      const { run, ownerId, approvalId, digest } = await parkedRun();
      await expect(store.approvals.undo(ownerId, approvalId)).rejects.toMatchObject({
        code: "approval_closed",
      });
      const before = await store.approvals.get(ownerId, approvalId);
      const approved = await store.approvals.decide({
        ownerId,
        approvalId,
        digest,
        approved: true,
        undoMs: 5_000,
        tokenHash: "t",
      });
      expect(approved).toMatchObject({ state: "approved", undoUntil: expect.any(String) });
      expect(Date.parse(approved.expiresAt) - Date.parse(before!.expiresAt)).toBe(5_000);
      const [event] = await store.runs.events(ownerId, run.id, 6);
      expect(event).toMatchObject({
        payload: {
          state: "approved",
          undoUntil: expect.any(Number),
          expiresAt: approved.expiresAt,
        },
      });
      expect(event?.type === "approval" && event.payload.undoUntil).toBe(
        Date.parse(approved.undoUntil ?? ""),
      );
      await expect(store.approvals.undo(freshOwner(), approvalId)).rejects.toMatchObject({
        code: "not_found",
      });
      expect(await store.approvals.undo(ownerId, approvalId)).toMatchObject({
        state: "denied",
        undoUntil: approved.undoUntil,
      });
      await expect(store.approvals.undo(ownerId, approvalId)).rejects.toMatchObject({
        code: "approval_closed",
      });
      expect(await store.runs.events(ownerId, run.id, 7)).toMatchObject([
        { payload: { state: "denied", undone: true, by: ownerId } },
      ]);
      expect(await store.audit.list(ownerId, { limit: 1 })).toMatchObject([
        { what: "approval.denied", by: "owner", details: { undone: true } },
      ]);
      const late = await parkedRun();
      await store.approvals.decide({
        ownerId: late.ownerId,
        approvalId: late.approvalId,
        digest: late.digest,
        approved: true,
        undoMs: 60_000,
      });
      await under.passTime(61_000);
      await expect(store.approvals.undo(late.ownerId, late.approvalId)).rejects.toMatchObject({
        code: "approval_closed",
      });
    });

    it("X1 uses up an approval at most once, and only if it is approved and not expired", async () => {
      const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
      const attempting = (): NewEvent => ({
        type: "effect",
        payload: {
          effectId,
          actionId,
          tool: "post",
          state: "attempting",
          digest,
          attempt: 1,
          deadlineMs: 1_000,
        },
      });
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
      const { lease } = await claim(run.id);
      expect(
        await store.log.append(appendOf(lease, 7, [attempting()], { consume: [randomUUID()] })),
      ).toEqual({ ok: false, reason: "approval" });
      expect(
        await store.log.append(appendOf(lease, 7, [attempting()], { consume: [approvalId] })),
      ).toMatchObject({ ok: true });
      expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({ state: "used" });
      expect(await store.runs.effects(ownerId, run.id)).toMatchObject([
        { state: "attempting", attempts: 1, deadlineAt: expect.any(String) },
      ]);
      expect(
        await store.log.append(appendOf(lease, 8, [attempting()], { consume: [approvalId] })),
      ).toEqual({ ok: false, reason: "approval" });
    });

    it("X1 uses up no approval of another run, and returns a token hash only once its approval is used", async () => {
      const ownerId = freshOwner();
      const [mine, other] = [await parkedRun(ownerId), await parkedRun(ownerId)];
      for (const { approvalId, digest } of [mine, other])
        await store.approvals.decide({
          ownerId,
          approvalId,
          digest,
          approved: true,
          tokenHash: `hash of ${approvalId}`,
        });
      expect(await store.approvals.usedTokenHash(ownerId, mine.approvalId)).toBeUndefined();
      const { lease } = await claim(mine.run.id);
      for (const consume of [[other.approvalId], [mine.approvalId, other.approvalId]])
        expect(await store.log.append(appendOf(lease, 7, [note("not mine")], { consume }))).toEqual(
          { ok: false, reason: "approval" },
        );
      for (const { approvalId } of [mine, other])
        expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({ state: "approved" });
      expect(
        await store.log.append(appendOf(lease, 7, [note("mine")], { consume: [mine.approvalId] })),
      ).toMatchObject({ ok: true });
      expect(await store.approvals.usedTokenHash(ownerId, mine.approvalId)).toBe(
        `hash of ${mine.approvalId}`,
      );
      expect(await store.approvals.usedTokenHash(freshOwner(), mine.approvalId)).toBeUndefined();
      expect(await store.approvals.usedTokenHash(ownerId, other.approvalId)).toBeUndefined();
    });

    it("RT12 appends nothing under a lease that names another owner", async () => {
      const run = await createRun(freshOwner());
      const { lease } = await claim(run.id);
      expect(
        await store.log.append(appendOf({ ...lease, ownerId: freshOwner() }, 2, [note("foreign")])),
      ).toEqual({ ok: false, reason: "lost" });
      expect(await store.runs.events(run.ownerId, run.id, 2)).toEqual([]);
      expect(await store.log.append(appendOf(lease, 2, [note("own")]))).toMatchObject({ ok: true });
    });

    it("X2 ignores a release by the older of two leases of one worker", async () => {
      const run = await createRun(freshOwner());
      const [older, newer] = [await claim(run.id), await claim(run.id)];
      expect(await store.log.release(older.lease, { delayMs: 0, keepCount: false })).toBe(false);
      expect(await store.log.claim(claimOf(run.id, { worker: "w2" }))).toMatchObject({
        claimed: false,
        reason: "taken",
      });
      expect(await store.log.append(appendOf(newer.lease, 2, [note("still mine")]))).toMatchObject({
        ok: true,
      });
      expect(await store.log.release(newer.lease, { delayMs: 0, keepCount: false })).toBe(true);
    });

    it("X1 rejects an approval that expired by the store's clock before it was used", async () => {
      const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun(
        freshOwner(),
        60_000,
      );
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
      const { lease } = await claim(run.id);
      await under.passTime(61_000);
      const attempting: NewEvent = {
        type: "effect",
        payload: {
          effectId,
          actionId,
          tool: "post",
          state: "attempting",
          digest,
          attempt: 1,
          deadlineMs: 1_000,
        },
      };
      expect(
        await store.log.append(appendOf(lease, 7, [attempting], { consume: [approvalId] })),
      ).toEqual({ ok: false, reason: "approval" });
      expect(await store.approvals.get(ownerId, approvalId)).toMatchObject({ state: "approved" });
    });

    it("does not count a claim of a run that the same worker dropped", async () => {
      const run = await createRun(freshOwner());
      for (let times = 0; times < 4; times++)
        expect((await claim(run.id)).claimsWithoutProgress).toBe(1);
    });

    it("expires overdue approvals even if one belongs to a finished run", async () => {
      const [over, waiting] = [
        await parkedRun(freshOwner(), 60_000),
        await parkedRun(freshOwner(), 60_000),
      ];
      await store.runs.requestCancel(over.ownerId, over.run.id);
      const { lease } = await claim(over.run.id);
      expect(
        await store.log.append(
          appendOf(lease, 7, [{ type: "status", payload: { status: "failed" } }], {
            release: "end",
          }),
        ),
      ).toMatchObject({ ok: true });
      await under.passTime(61_000);
      await store.approvals.expireDue();
      expect(await store.approvals.get(over.ownerId, over.approvalId)).toMatchObject({
        state: "expired",
      });
      expect(await store.approvals.get(waiting.ownerId, waiting.approvalId)).toMatchObject({
        state: "expired",
      });
      expect(await store.approvals.expireDue()).toBe(0);
    });

    it("wakes a parked run exactly once by a decision, and only notifies a live holder", async () => {
      const { run, ownerId, approvalId, digest } = await parkedRun();
      const before = under.wakes.filter((wake) => wake.runId === run.id).length;
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
      await expect
        .poll(() => under.wakes.filter((wake) => wake.runId === run.id).length)
        .toBe(before + 1);
      expect(under.wakes.filter((wake) => wake.runId === run.id).at(-1)).toMatchObject({
        held: false,
        wake: 2,
      });
      await claim(run.id);
      await store.runs.requestCancel(ownerId, run.id);
      await expect
        .poll(() => under.wakes.filter((wake) => wake.runId === run.id).at(-1)?.held)
        .toBe(true);
    });

    it("X7 advances the log at a cancel request, so that no append that missed it commits", async () => {
      const ownerId = freshOwner();
      const run = await createRun(ownerId);
      const { lease } = await claim(run.id);
      expect(await store.runs.requestCancel(ownerId, run.id, "enough")).toBe(true);
      expect(await store.runs.requestCancel(ownerId, run.id)).toBe(false);
      expect(await store.log.append(appendOf(lease, 2, [note("begin")]))).toEqual({
        ok: false,
        reason: "moved",
      });
      expect(await store.log.read(lease, 2)).toMatchObject([
        { type: "cancel", payload: { by: ownerId, reason: "enough" } },
      ]);
      expect((await store.runs.get(ownerId, run.id))?.cancelRequested).toBe(true);
    });

    it("X7 cancels the entire tree below a run, and lets no child be created under a canceled one", async () => {
      const ownerId = freshOwner();
      const root = await createRun(ownerId);
      const child = await createRun(ownerId, {
        parent: { runId: root.id, failureMode: "best_effort" },
      });
      const grandchild = await createRun(ownerId, {
        parent: { runId: child.id, failureMode: "best_effort" },
      });
      const sibling = await createRun(ownerId);
      const racing = Array.from({ length: 10 }, () =>
        createRun(ownerId, { parent: { runId: child.id, failureMode: "best_effort" } }).then(
          (run) => run.id,
          () => undefined,
        ),
      );
      await store.runs.requestCancel(ownerId, root.id);
      const made = (await Promise.all(racing)).filter((id) => id !== undefined);
      for (const id of [root.id, child.id, grandchild.id, ...made])
        expect((await store.runs.get(ownerId, id))?.cancelRequested).toBe(true);
      expect((await store.runs.get(ownerId, sibling.id))?.cancelRequested).toBe(false);
      await expect(
        createRun(ownerId, { parent: { runId: grandchild.id, failureMode: "best_effort" } }),
      ).rejects.toMatchObject({ code: "conflict" });
    });

    it.for([true, false])(
      "X4 a child's task counts as its parent's text, trusted: %s",
      async (trusted) => {
        const ownerId = freshOwner();
        const parent = await createRun(ownerId);
        const child = await createRun(ownerId, {
          parent: { runId: parent.id, failureMode: "best_effort", trusted },
        });
        const tailOf = async (threadId: string) =>
          await store.threads.tail(
            ownerId,
            threadId,
            (await createRun(ownerId, { input: { prompt: "go on", threadId } })).id,
            5,
          );
        expect(await tailOf(child.threadId)).toMatchObject([
          { role: "user", content: "say hello", trusted },
        ]);
        expect(await tailOf(parent.threadId)).toMatchObject([{ role: "user", trusted: true }]);
      },
    );

    it("BR16 notifies a parent when its children start and finish, and wakes it", async () => {
      const ownerId = freshOwner();
      const parent = await createRun(ownerId);
      const { lease } = await claim(parent.id);
      const child = await createRun(ownerId, {
        parent: { runId: parent.id, actionId: "a1", failureMode: "fail_fast", insteadOf: "b" },
      });
      expect(child.parentRunId).toBe(parent.id);
      expect(await store.runs.events(ownerId, child.id, 0)).toMatchObject([
        { payload: { parentRunId: parent.id } },
        { type: "message", payload: { role: "user", from: "parent" } },
      ]);
      const started = {
        type: "child_run",
        payload: {
          childRunId: child.id,
          title: child.title,
          status: "queued",
          spawnedBy: "a1",
          failureMode: "fail_fast",
          insteadOf: "b",
        },
      };
      expect(await store.runs.events(ownerId, parent.id, 2)).toMatchObject([started]);
      expect(
        await store.log.append(appendOf(lease, 3, [note("waits")], { release: "park" })),
      ).toMatchObject({ ok: true });
      const childEventsOf = async () =>
        (await store.runs.events(ownerId, parent.id, 4)).map(({ type, payload }) => ({
          type,
          payload,
        }));
      await store.runs.notifyParents();
      expect(await childEventsOf()).toEqual([]);
      const working = await claim(child.id);
      await store.log.append(
        appendOf(
          working.lease,
          2,
          [{ type: "status", payload: { status: "failed", code: "cap_time", message: "late" } }],
          { release: "end" },
        ),
      );
      expect(await store.runs.get(ownerId, parent.id)).toMatchObject({ runnable: false });
      expect(await store.runs.notifyParents()).toBeGreaterThan(0);
      expect(await childEventsOf()).toEqual([
        {
          type: "child_run",
          payload: {
            childRunId: child.id,
            title: child.title,
            status: "failed",
            error: { code: "cap_time", message: "late" },
          },
        },
      ]);
      expect(await store.runs.get(ownerId, parent.id)).toMatchObject({ runnable: true });
      await store.runs.notifyParents();
      expect(await childEventsOf()).toHaveLength(1);
    });

    it("BR16 notifies a parent when a child waits for the owner and when it continues, for the given runs only", async () => {
      const ownerId = freshOwner();
      const { id: parentId } = await createRun(ownerId);
      const {
        run: child,
        approvalId,
        digest,
      } = await parkedRun(ownerId, 60_000, {
        parent: { runId: parentId, failureMode: "best_effort" },
      });
      const statuses = async () =>
        (await store.runs.events(ownerId, parentId, 3)).flatMap((event) =>
          event.type === "child_run" ? [event.payload.status] : [],
        );
      await store.runs.notifyParents([randomUUID()]);
      expect(await statuses()).toEqual([]);
      await store.runs.notifyParents([child.id]);
      await store.runs.notifyParents([parentId]);
      expect(await statuses()).toEqual(["awaiting_confirmation"]);
      expect(
        await store.approvals.list(ownerId, { runId: parentId, pendingOnly: true }),
      ).toMatchObject([{ id: approvalId, runId: child.id }]);
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
      const { lease } = await claim(child.id);
      const lastSeq = (await store.runs.get(ownerId, child.id))?.lastSeq ?? 0;
      await store.log.append(
        appendOf(lease, lastSeq, [{ type: "status", payload: { status: "executing" } }]),
      );
      await store.runs.notifyParents();
      expect(await statuses()).toEqual(["awaiting_confirmation", "executing"]);
    });

    it("BR21 rejects one child more than a run may have, even under concurrency", async () => {
      const ownerId = freshOwner();
      const parent = await createRun(ownerId);
      const asked = await Promise.allSettled(
        Array.from({ length: 6 }, () =>
          createRun(ownerId, {
            parent: { runId: parent.id, failureMode: "best_effort", maxChildren: 3 },
          }),
        ),
      );
      expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
      for (const one of asked)
        if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "cap_children" });
    });

    it("BR16 X7 cancels unfinished children of a finished run", async () => {
      const ownerId = freshOwner();
      const parent = await createRun(ownerId);
      const child = await createRun(ownerId, {
        parent: { runId: parent.id, failureMode: "best_effort" },
      });
      const { lease } = await claim(parent.id);
      await store.log.append(
        appendOf(lease, 3, [{ type: "status", payload: { status: "completed" } }], {
          release: "end",
        }),
      );
      await store.runs.notifyParents();
      expect(await store.runs.get(ownerId, child.id)).toMatchObject({ cancelRequested: true });
      const working = await claim(child.id);
      await store.log.append(
        appendOf(working.lease, 3, [{ type: "status", payload: { status: "canceled" } }], {
          release: "end",
        }),
      );
      await store.runs.notifyParents();
      expect((await store.runs.events(ownerId, parent.id, 4)).length).toBe(0);
    });

    it("X7 cancels all runs of one owner, and none of another", async () => {
      const [ownerId, other] = [freshOwner(), freshOwner()];
      const root = await createRun(ownerId);
      const racing = Array.from({ length: 10 }, () =>
        createRun(ownerId, { parent: { runId: root.id, failureMode: "best_effort" } }).then(
          (run) => run.id,
          () => undefined,
        ),
      );
      const [held, over, theirs] = [
        await createRun(ownerId),
        await createRun(ownerId),
        await createRun(other),
      ];
      const { lease } = await claim(held.id);
      const ended = await claim(over.id);
      expect(
        await store.log.append(
          appendOf(ended.lease, 2, [{ type: "status", payload: { status: "completed" } }], {
            release: "end",
          }),
        ),
      ).toMatchObject({ ok: true });
      const stopped = await store.runs.requestCancelAll(ownerId, "enough");
      const made = (await Promise.all(racing)).filter((id) => id !== undefined);
      expect(stopped.toSorted()).toEqual([root.id, held.id, ...made].toSorted());
      for (const id of stopped) {
        expect(await store.runs.get(ownerId, id)).toMatchObject({
          cancelRequested: true,
          runnable: true,
        });
        expect(
          (await store.runs.events(ownerId, id, 2)).filter(({ type }) => type !== "child_run"),
        ).toMatchObject([{ type: "cancel", payload: { by: ownerId, reason: "enough" } }]);
      }
      expect(await store.log.append(appendOf(lease, 2, [note("begin")]))).toEqual({
        ok: false,
        reason: "moved",
      });
      expect(await store.runs.get(ownerId, over.id)).toMatchObject({
        status: "completed",
        cancelRequested: false,
      });
      expect(await store.runs.get(other, theirs.id)).toMatchObject({ cancelRequested: false });
      await expect
        .poll(() =>
          stopped.every((id) =>
            under.wakes.some(
              (wake) =>
                wake.runId === id &&
                (wake.wake === 2 || id === root.id) &&
                wake.held === (id === held.id),
            ),
          ),
        )
        .toBe(true);
      expect(await store.runs.requestCancelAll(ownerId)).toEqual([]);
      const rows = await store.audit.list(ownerId, { what: "owner" });
      expect(rows).toMatchObject([
        { what: "owner.stopped", by: "owner", details: { runs: 0 } },
        { details: { runs: stopped.length, reason: "enough" } },
      ]);
      expect(
        new Set(
          (await store.audit.list(ownerId, { what: "run.stopped" })).map(({ runId }) => runId),
        ),
      ).toEqual(new Set(stopped));
    });

    it("RT12 records every change of an approval and an effect in the audit log, in order, with its actor", async () => {
      const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true, reason: "fine" });
      const { lease } = await claim(run.id);
      const word = (
        payload: { state: "attempting"; attempt: number; deadlineMs: number } | { state: "done" },
      ): NewEvent => ({
        type: "effect",
        payload: { effectId, actionId, tool: "post", digest, ...payload },
      });
      await store.log.append(
        appendOf(lease, 7, [word({ state: "attempting", attempt: 1, deadlineMs: 1_000 })], {
          consume: [approvalId],
        }),
      );
      await store.log.append(appendOf(lease, 8, [word({ state: "done" })]));
      const rows = (await store.audit.list(ownerId, { runId: run.id })).toReversed();
      expect(rows.map(({ what, by, approvalId: approval }) => [what, by, approval])).toEqual([
        ["effect.awaiting_confirmation", "bron", null],
        ["approval.requested", "bron", approvalId],
        ["approval.approved", "owner", approvalId],
        ["approval.used", "bron", approvalId],
        ["effect.attempting", "bron", null],
        ["effect.done", "bron", null],
      ]);
      for (const row of rows)
        expect(row).toMatchObject({
          runId: run.id,
          actionId,
          effectId,
          tool: "post",
          digest,
          at: expect.any(String),
        });
      expect(rows[2]?.details).toEqual({ reason: "fine" });
      expect(rows[4]?.details).toEqual({ attempt: 1 });
      const short = await parkedRun(freshOwner(), 60_000);
      await under.passTime(61_000);
      await store.approvals.expireDue();
      expect(await store.audit.list(short.ownerId, { limit: 1 })).toMatchObject([
        {
          what: "approval.expired",
          by: "system",
          approvalId: short.approvalId,
          runId: short.run.id,
        },
      ]);
    });

    it("RT12 lists the audit log newest first, page by page, by run and by kind", async () => {
      const [ownerId, runId] = [freshOwner(), randomUUID()];
      for (const what of ["rule.added", "effect.done", "rule.removed"] as const)
        await store.audit.write(ownerId, {
          what,
          by: "owner",
          ...(what === "effect.done" ? { runId } : {}),
          details: { what },
        });
      const whats = async (options: Parameters<Store["audit"]["list"]>[1]) =>
        (await store.audit.list(ownerId, options)).map(({ what }) => what);
      expect(await whats({})).toEqual(["rule.removed", "effect.done", "rule.added"]);
      const [newest] = await store.audit.list(ownerId, { limit: 1 });
      expect(newest).toMatchObject({
        what: "rule.removed",
        runId: null,
        tool: null,
        digest: null,
        details: { what: "rule.removed" },
      });
      expect(await whats({ before: newest!.id, limit: 1 })).toEqual(["effect.done"]);
      expect(await whats({ what: "rule" })).toEqual(["rule.removed", "rule.added"]);
      expect(await whats({ what: "rule.added" })).toEqual(["rule.added"]);
      expect(await whats({ runId })).toEqual(["effect.done"]);
      expect(await whats({ runId: "no id" })).toEqual([]);
    });

    it("X2 lets the owner settle an unknown effect, once, and leaves the log unchanged", async () => {
      const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
      await expect(
        store.effects.settle({ ownerId, effectId, as: "happened" }),
      ).rejects.toMatchObject({ code: "conflict" });
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
      const { lease } = await claim(run.id);
      await store.log.append(
        appendOf(
          lease,
          7,
          [
            {
              type: "effect",
              payload: { effectId, actionId, tool: "post", state: "unknown", digest },
            },
            { type: "status", payload: { status: "completed" } },
          ],
          { release: "end" },
        ),
      );
      expect(await store.effects.get(ownerId, effectId)).toMatchObject({
        state: "unknown",
        settled: null,
      });
      expect(await store.effects.listUnknown(ownerId)).toMatchObject([{ id: effectId }]);
      expect(await store.effects.listUnknown(freshOwner())).toEqual([]);
      const settlings = await Promise.allSettled(
        Array.from({ length: 4 }, () =>
          store.effects.settle({
            ownerId,
            effectId,
            as: "did_not_happen",
            note: "not in the outbox",
          }),
        ),
      );
      expect(settlings.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      for (const settling of settlings)
        if (settling.status === "rejected")
          expect(settling.reason).toMatchObject({ code: "conflict" });
      const settled = { as: "did_not_happen", at: expect.any(String), note: "not in the outbox" };
      expect(await store.runs.effects(ownerId, run.id)).toMatchObject([
        { id: effectId, state: "unknown", settled },
      ]);
      expect(await store.effects.listUnknown(ownerId)).toEqual([]);
      expect((await store.runs.get(ownerId, run.id))?.lastSeq).toBe(9);
      expect(await store.audit.list(ownerId, { what: "effect.settled" })).toMatchObject([
        {
          by: "owner",
          runId: run.id,
          effectId,
          tool: "post",
          digest,
          details: { as: "did_not_happen", note: "not in the outbox" },
        },
      ]);
      await expect(
        store.effects.settle({ ownerId, effectId: randomUUID(), as: "happened" }),
      ).rejects.toMatchObject({ code: "not_found" });
      await expect(
        store.effects.settle({ ownerId, effectId: "no id", as: "happened" }),
      ).rejects.toMatchObject({ code: "not_found" });
    });

    it.for([
      ["happened", 0],
      ["did_not_happen", 1],
    ] as const)("BR18 an effect settled as %s leaves %i not done", async ([as, notDone]) => {
      const { run, ownerId, approvalId, digest, effectId, actionId } = await parkedRun();
      await store.approvals.decide({ ownerId, approvalId, digest, approved: true });
      const { lease } = await claim(run.id);
      await store.log.append(
        appendOf(
          lease,
          7,
          [
            {
              type: "effect",
              payload: { effectId, actionId, tool: "post", state: "unknown", digest },
            },
            { type: "status", payload: { status: "completed", notDone: 1 } },
          ],
          { release: "end" },
        ),
      );
      expect(await store.runs.get(ownerId, run.id)).toMatchObject({ notDone: 1 });
      await store.effects.settle({ ownerId, effectId, as });
      expect(await store.runs.get(ownerId, run.id)).toMatchObject({ notDone });
    });

    it("counts claims without progress, and resets the count at an append", async () => {
      const run = await createRun(freshOwner());
      for (const expected of [1, 2, 3]) {
        const claimed = await claim(run.id);
        expect(claimed.claimsWithoutProgress).toBe(expected);
        expect(await store.log.release(claimed.lease, { delayMs: 0, keepCount: true })).toBe(true);
      }
      const claimed = await claim(run.id);
      expect(claimed.claimsWithoutProgress).toBe(4);
      await store.log.append(appendOf(claimed.lease, 2, [note("progress")]));
      await store.log.release(claimed.lease, { delayMs: 0, keepCount: false });
      expect(await store.log.release(claimed.lease, { delayMs: 0, keepCount: false })).toBe(false);
      expect((await claim(run.id)).claimsWithoutProgress).toBe(1);
    });

    it("renews only leases that are still held, and returns where each log ends", async () => {
      const [one, two] = [await createRun(freshOwner()), await createRun(freshOwner())];
      const [a, b] = [await claim(one.id), await claim(two.id)];
      await under.passTime(moreThanALeaseMs);
      const taken = await claim(two.id, { worker: "w2" });
      expect(taken.lease.epoch).toBe(b.lease.epoch + 1);
      expect(await store.log.renew("w1", [a.lease, b.lease], leaseMs)).toMatchObject({
        kept: [{ runId: one.id, epoch: a.lease.epoch, lastSeq: 2 }],
      });
      expect(await store.log.claim(claimOf(one.id, { worker: "w3" }))).toMatchObject({
        claimed: false,
        reason: "taken",
      });
    });

    it("X6 draws from the owner's cap in blocks, never above it, and returns the rest at the end", async () => {
      const ownerId = freshOwner();
      await store.budgets.setOwnerCap(ownerId, 100);
      const [one, two] = [await createRun(ownerId), await createRun(ownerId)];
      const [a, b] = [await claim(one.id), await claim(two.id)];
      expect(a.run.ownerCapMicrousd).toBe(100);
      expect(
        await store.log.append(
          appendOf(a.lease, 2, [note("a")], {
            draw: { needMicrousd: 80, blockMicrousd: 80 },
            chargedMicrousd: 30,
          }),
        ),
      ).toMatchObject({ ok: true, drawnMicrousd: 80 });
      expect(
        await store.log.append(
          appendOf(b.lease, 2, [note("b")], { draw: { needMicrousd: 30, blockMicrousd: 80 } }),
        ),
      ).toEqual({ ok: false, reason: "budget" });
      expect(
        await store.log.append(
          appendOf(b.lease, 1, [note("b")], { draw: { needMicrousd: 10, blockMicrousd: 80 } }),
        ),
      ).toEqual({ ok: false, reason: "moved" });
      expect((await store.budgets.ownerSpending(ownerId)).drawnMicrousd).toBe(80);
      expect(
        await store.log.append(
          appendOf(a.lease, 3, [{ type: "status", payload: { status: "completed" } }], {
            release: "end",
            chargedMicrousd: 25,
          }),
        ),
      ).toMatchObject({ ok: true });
      expect(await store.budgets.ownerSpending(ownerId)).toEqual({
        capMicrousd: 100,
        drawnMicrousd: 25,
      });
      expect(
        await store.log.append(
          appendOf(b.lease, 2, [note("b")], {
            draw: { needMicrousd: 75, blockMicrousd: 80 },
            chargedMicrousd: 75,
          }),
        ),
      ).toMatchObject({ ok: true, drawnMicrousd: 75 });
      expect((await store.budgets.ownerSpending(ownerId)).drawnMicrousd).toBe(100);
    });

    it("stores bytes once per owner under their digest, visible with their event", async () => {
      const ownerId = freshOwner();
      const run = await createRun(ownerId);
      const bytes = new TextEncoder().encode("report");
      const artifact = {
        ownerId,
        runId: run.id,
        kind: "extracted_json",
        name: "r.json",
        mediaType: "application/json",
        bytes,
      };
      const [one, two] = [await store.artifacts.put(artifact), await store.artifacts.put(artifact)];
      expect(one.digest).toBe(two.digest);
      expect(await store.artifacts.list(ownerId, run.id)).toEqual([]);
      const { lease } = await claim(run.id);
      await store.log.append(
        appendOf(lease, 2, [
          {
            type: "artifact",
            payload: {
              ...one,
              kind: artifact.kind,
              name: artifact.name,
              mediaType: artifact.mediaType,
            },
          },
        ]),
      );
      expect(await store.artifacts.list(ownerId, run.id)).toMatchObject([
        { kind: "extracted_json", digest: one.digest, sizeBytes: 6 },
      ]);
      expect(await store.artifacts.read(ownerId, one.digest)).toEqual(bytes);
      expect(await store.artifacts.read(freshOwner(), one.digest)).toBeUndefined();
    });

    it("RT12 returns the last messages of a thread before the run, newest last, up to a limit", async () => {
      const ownerId = freshOwner();
      const first = await createRun(ownerId, { input: { prompt: "one" } });
      const { lease } = await claim(first.id);
      await store.log.append(
        appendOf(
          lease,
          2,
          [
            {
              type: "message",
              payload: {
                role: "assistant",
                content: "first answer",
                step: 1,
                final: true,
                parts: [],
              },
            },
            { type: "status", payload: { status: "completed" } },
          ],
          { release: "end" },
        ),
      );
      const second = await createRun(ownerId, {
        input: { prompt: "two", threadId: first.threadId },
      });
      const third = await createRun(ownerId, {
        input: { prompt: "three", threadId: first.threadId },
      });
      const messages = [
        { role: "user", content: "one", trusted: true },
        { role: "assistant", content: "first answer", trusted: false },
        { role: "user", content: "two", trusted: true },
      ];
      expect(await store.threads.tail(ownerId, first.threadId, third.id, 10)).toEqual(messages);
      expect(await store.threads.tail(ownerId, first.threadId, third.id, 2)).toEqual(
        messages.slice(1),
      );
      expect(await store.threads.tail(ownerId, first.threadId, second.id, 10)).toEqual(
        messages.slice(0, 2),
      );
      expect(await store.threads.tail(ownerId, first.threadId, first.id, 10)).toEqual([]);
    });

    it("RT3 starts a thread with earlier messages, and adds none to a thread that has messages", async () => {
      const ownerId = freshOwner();
      const earlier = [
        { role: "user" as const, content: "before" },
        { role: "assistant" as const, content: "said \u0000" },
      ];
      const first = await createRun(ownerId, { input: { prompt: "one" }, earlier });
      const messages = [
        { role: "user", content: "before", trusted: true },
        { role: "assistant", content: expect.stringMatching(/^said/), trusted: false },
      ];
      expect(await store.threads.tail(ownerId, first.threadId, first.id, 10)).toEqual(messages);
      expect(await store.threads.tail(ownerId, first.threadId, first.id, 1)).toEqual(
        messages.slice(1),
      );
      const second = await createRun(ownerId, {
        input: { prompt: "two", threadId: first.threadId },
        earlier: [{ role: "user", content: "forged" }],
      });
      expect(await store.threads.tail(ownerId, first.threadId, second.id, 10)).toEqual([
        ...messages,
        { role: "user", content: "one", trusted: true },
      ]);
    });

    it("lists an owner's approvals oldest first, page by page", async () => {
      const ownerId = freshOwner();
      const made: string[] = [];
      for (let index = 0; index < 5; index++) made.push((await parkedRun(ownerId)).approvalId);
      await parkedRun();
      const idsOf = async (options: Parameters<typeof store.approvals.list>[1]) =>
        (await store.approvals.list(ownerId, options)).map(({ id }) => id);
      expect(await idsOf({ limit: 2 })).toEqual(made.slice(0, 2));
      expect(await idsOf({ limit: 2, after: made[1]!, pendingOnly: true })).toEqual(
        made.slice(2, 4),
      );
      expect(await idsOf({ after: made[4]! })).toEqual([]);
      expect(await idsOf({ after: randomUUID() })).toEqual([]);
    });

    it("BR18 stores which run a retry repeats, and copies its attachments", async () => {
      const ownerId = freshOwner();
      const first = await createRun(ownerId, {
        input: { prompt: "one", attachedContext: [{ type: "email", id: "m1", title: "a mail" }] },
      });
      expect(first.retryOf).toBeNull();
      const second = await createRun(ownerId, {
        input: { prompt: "one", threadId: first.threadId },
        retry: { runId: first.id, notDone: ["a"] },
      });
      expect(second).toMatchObject({ retryOf: first.id, threadId: first.threadId });
      expect(await store.runs.get(ownerId, second.id)).toMatchObject({ retryOf: first.id });
      const { run, events } = await claim(second.id);
      expect(run.attachedContext).toEqual([{ type: "email", id: "m1", title: "a mail" }]);
      expect(events[0]).toMatchObject({
        type: "status",
        payload: { status: "queued", retry: { runId: first.id, notDone: ["a"] } },
      });
    });

    it("lists an owner's runs newest first, page by page", async () => {
      const ownerId = freshOwner();
      const made: string[] = [];
      for (let index = 0; index < 5; index++) made.unshift((await createRun(ownerId)).id);
      const page = await store.runs.list(ownerId, { limit: 2 });
      expect(page.map(({ id }) => id)).toEqual(made.slice(0, 2));
      expect(
        (await store.runs.list(ownerId, { limit: 10, before: made[1]! })).map(({ id }) => id),
      ).toEqual(made.slice(2));
      expect(await store.runs.list(ownerId, { status: "completed" })).toEqual([]);
    });

    it("lists and counts an owner's runs by status, active and finished", async () => {
      const ownerId = freshOwner();
      const { run: parked } = await parkedRun(ownerId);
      const end = async (status: "completed" | "failed" | "canceled") => {
        const run = await createRun(ownerId);
        const { lease } = await claim(run.id);
        expect(
          await store.log.append(
            appendOf(lease, 2, [{ type: "status", payload: { status } }], { release: "end" }),
          ),
        ).toMatchObject({ ok: true });
        return run.id;
      };
      const [first, failed, canceled, last] = [
        await end("completed"),
        await end("failed"),
        await end("canceled"),
        await end("completed"),
      ];
      const queued = await createRun(ownerId);
      await createRun(freshOwner());
      const idsOf = async (status: RunStatus, extra: Parameters<Store["runs"]["list"]>[1] = {}) =>
        (await store.runs.list(ownerId, { status, ...extra })).map(({ id }) => id);
      expect(await idsOf("awaiting_confirmation")).toEqual([parked.id]);
      expect(await idsOf("queued")).toEqual([queued.id]);
      expect(await idsOf("completed")).toEqual([last, first]);
      expect(await idsOf("completed", { before: last, limit: 1 })).toEqual([first]);
      expect(await idsOf("failed")).toEqual([failed]);
      expect(await idsOf("canceled")).toEqual([canceled]);
      expect(await idsOf("executing")).toEqual([]);
      expect(await store.runs.counts(ownerId)).toEqual({
        awaiting_confirmation: 1,
        queued: 1,
        completed: 2,
        failed: 1,
        canceled: 1,
      });
    });

    it("finds an owner's runs and approvals by an id prefix", async () => {
      const { run, ownerId, approvalId } = await parkedRun();
      const other = await parkedRun(ownerId);
      for (const length of [6, 9, 20, 36]) {
        expect(
          (await store.runs.list(ownerId, { idPrefix: run.id.slice(0, length) })).map(
            ({ id }) => id,
          ),
        ).toEqual([run.id]);
        expect(
          (await store.approvals.list(ownerId, { idPrefix: approvalId.slice(0, length) })).map(
            ({ id }) => id,
          ),
        ).toEqual([approvalId]);
      }
      expect(await store.runs.list(other.ownerId, { idPrefix: approvalId.slice(0, 12) })).toEqual(
        [],
      );
      expect(await store.runs.list(freshOwner(), { idPrefix: run.id })).toEqual([]);
      expect(await store.approvals.list(freshOwner(), { idPrefix: approvalId })).toEqual([]);
      for (const idPrefix of ["no id", "0-0", `${run.id}0`]) {
        expect(await store.runs.list(ownerId, { idPrefix })).toEqual([]);
        expect(await store.approvals.list(ownerId, { idPrefix })).toEqual([]);
      }
    });

    it("BR1 lists the runs of one Bron, and none of another owner's Bron", async () => {
      const ownerId = freshOwner();
      const [first, second, other] = [
        await createRun(ownerId),
        await createRun(ownerId),
        await createRun(freshOwner()),
      ];
      expect(
        (await store.runs.list(ownerId, { bronId: first.bronId })).map(({ id }) => id),
      ).toEqual([second.id, first.id]);
      expect(
        (await store.runs.list(ownerId, { bronId: first.bronId, before: second.id })).map(
          ({ id }) => id,
        ),
      ).toEqual([first.id]);
      for (const bronId of [other.bronId, randomUUID(), "nonsense"])
        expect(await store.runs.list(ownerId, { bronId })).toEqual([]);
    });

    it("BR6 returns changed runs of several owners at once, with all active runs on request", async () => {
      const { run: parked, ownerId } = await parkedRun();
      const over = await createRun(ownerId);
      const { lease } = await claim(over.id);
      await store.log.append(
        appendOf(lease, 2, [{ type: "status", payload: { status: "completed" } }], {
          release: "end",
        }),
      );
      const [queued, others] = [await createRun(freshOwner()), await createRun(freshOwner())];
      const owners = [ownerId, queued.ownerId];
      const idsOf = async (of: Parameters<Store["runs"]["changes"]>[1]) =>
        (await store.runs.changes(owners, of))
          .map(({ run, pendingApprovals }) => `${run.id} ${run.status} ${pendingApprovals}`)
          .toSorted();
      expect(await idsOf({ runIds: [over.id, queued.id, others.id, "nonsense"] })).toEqual(
        [`${over.id} completed 1`, `${queued.id} queued 0`].toSorted(),
      );
      expect(await idsOf({ runIds: [], active: true })).toEqual(
        [`${parked.id} awaiting_confirmation 1`, `${queued.id} queued 0`].toSorted(),
      );
      expect(await idsOf({ runIds: [over.id, queued.id], active: true })).toHaveLength(3);
      expect(await store.runs.changes([], { runIds: [over.id], active: true })).toEqual([]);
    });
  });
}
