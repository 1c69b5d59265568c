import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import {
  appendOf,
  claimOf,
  freshOwner,
  leaseMs,
  moreThanALeaseMs,
  note,
  type StoreHarness,
} from "./store-harness.ts";

export function testClaims({ claim, createRun, parkedRun, store, under }: StoreHarness): void {
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

  it("does not count a claim of a run that the same worker dropped", async () => {
    const run = await createRun(freshOwner());
    for (let times = 0; times < 4; times++)
      expect((await claim(run.id)).claimsWithoutProgress).toBe(1);
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
}
