import type { TakeRequest } from "@bron/core";
import { expect, it } from "vitest";
import { freshOwner, leaseMs, moreThanALeaseMs, type StoreHarness } from "./store-harness.ts";

/** Longer than a run is left to the process that marked it. */
const unmarkedMs = 5_000;

export function testSweep({ claim, createRun, store, under }: StoreHarness): void {
  const take = async (only: readonly string[], extra: Partial<TakeRequest> = {}) => {
    const taken = await store.log.takeRunnable({
      worker: "w2",
      active: [],
      only,
      limit: 100,
      leaseMs,
      takeOverUntil: Date.parse("2100-01-01"),
      serves: [],
      maxPerOwner: 100,
      maxInAll: 10_000,
      ...extra,
    });
    return taken.map(({ runId }) => runId).toSorted();
  };

  it("BR21 takes runs that wait, one per owner in turn, and leaves them to their taker for a moment", async () => {
    const [eva, tom] = [freshOwner(), freshOwner()];
    const first = await createRun(eva);
    const second = await createRun(eva);
    const third = await createRun(tom);
    const ids = [first.id, second.id, third.id];
    // The process that created them starts them.
    expect(await take(ids)).toEqual([]);
    await under.passTime(unmarkedMs);
    expect(await take(ids, { limit: 0 })).toEqual([]);
    expect(await take(ids, { limit: 2 })).toEqual([first.id, third.id].toSorted());
    expect(await take(ids)).toEqual([second.id]);
    expect(await take(ids)).toEqual([]);
  });

  it("BR21 takes no more runs of an owner than the limit allows, live leases included", async () => {
    const ownerId = freshOwner();
    const runs = [await createRun(ownerId), await createRun(ownerId), await createRun(ownerId)];
    const ids = runs.map(({ id }) => id);
    await claim(ids[0]!);
    await under.passTime(unmarkedMs);
    expect(await take(ids, { maxPerOwner: 1 })).toEqual([]);
    expect(await take(ids, { maxPerOwner: 2 })).toEqual([ids[1]]);
  });

  it("BR21 takes a leased run only from itself, or once the lease has expired", async () => {
    const { id } = await createRun(freshOwner());
    await claim(id, { worker: "w1" });
    await under.passTime(unmarkedMs);
    expect(await take([id])).toEqual([]);
    expect(await take([id], { worker: "w1", active: [id] })).toEqual([]);
    expect(await take([id], { worker: "w1" })).toEqual([id]);
    await under.passTime(moreThanALeaseMs);
    expect(await take([id], { takeOverUntil: 0 })).toEqual([]);
    expect(await take([id])).toEqual([id]);
  });

  it("takes a delayed run when its time has come, or when it is canceled", async () => {
    const ownerId = freshOwner();
    const delayed = { input: { prompt: "later", delayMs: 60_000 } };
    const [due, canceled] = [await createRun(ownerId, delayed), await createRun(ownerId, delayed)];
    await store.runs.requestCancel(ownerId, canceled.id);
    await under.passTime(unmarkedMs);
    const ids = [due.id, canceled.id];
    expect(await take(ids)).toEqual([canceled.id]);
    await under.passTime(60_000);
    expect(await take([due.id])).toEqual([due.id]);
  });

  it("counts the wake of a run that it takes", async () => {
    const ownerId = freshOwner();
    const { id } = await createRun(ownerId);
    await under.passTime(unmarkedMs);
    const request = { active: [], only: [id], limit: 1, leaseMs, takeOverUntil: 0, serves: [] };
    expect(
      await store.log.takeRunnable({ ...request, worker: "w2", maxPerOwner: 1, maxInAll: 10_000 }),
    ).toEqual([{ runId: id, ownerId, wake: 2, delayMs: 0, held: false }]);
  });
}
