import { workerTimeoutMs, type TakeRequest } from "@bron/core";
import { defaultCaps, type Place, type ServedPlace } from "@bron/protocol";
import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import {
  appendOf,
  claimOf,
  freshOwner,
  leaseMs,
  note,
  type StoreHarness,
} from "./store-harness.ts";

const noCaps = { caps: defaultCaps, title: "t" };

export function testPlaces({ claim, createRun, store, under }: StoreHarness): void {
  const folder = (): Place & { machine: string } => ({
    machine: `machine ${randomUUID()}`,
    folder: "/home/eva/site",
  });
  const placed = (ownerId: string, place: Place) =>
    createRun(ownerId, { ...noCaps, input: { prompt: "say hello", place } });
  const outcome = async (runId: string, serves: readonly ServedPlace[]) => {
    const claimed = await store.log.claim(claimOf(runId, { serves }));
    return claimed.claimed ? claimed.run.place : claimed.reason;
  };
  const take = async (serves: readonly ServedPlace[], extra: Partial<TakeRequest> = {}) => {
    // Long enough for the mark of the wake or of the last sweep.
    await under.passTime(2_000);
    const taken = await store.log.takeRunnable({
      worker: "w1",
      active: [],
      only: undefined,
      serves,
      limit: 1_000,
      leaseMs,
      takeOverUntil: 0,
      maxPerOwner: 1_000,
      maxInAll: 100_000,
      ...extra,
    });
    return taken.map(({ runId }) => runId);
  };

  it("keeps the place of a run in its row and its log", async () => {
    const ownerId = freshOwner();
    const place = folder();
    const run = await placed(ownerId, place);
    expect(run.place).toEqual(place);
    expect(await store.runs.get(ownerId, run.id)).toMatchObject({ place });
    const events = await store.runs.events(ownerId, run.id, 0);
    expect(events.filter(({ type }) => type === "place")).toMatchObject([{ payload: { place } }]);
    expect(await createRun(ownerId)).toMatchObject({ place: null });
  });

  it("lets only a worker that serves the place claim the run", async () => {
    const ownerId = freshOwner();
    const place = folder();
    const { id } = await placed(ownerId, place);
    const { machine } = place;
    for (const serves of [
      [],
      [{ machine: "another" }],
      [{ machine, folder: "/home/eva" }],
      [{ process: machine }],
    ])
      expect(await outcome(id, serves)).toBe("elsewhere");
    expect(await outcome(id, [{ machine }])).toEqual(place);
    const { id: second } = await placed(ownerId, place);
    expect(await outcome(second, [{ process: "p" }, place])).toEqual(place);
    const { id: third } = await placed(ownerId, { process: "p" });
    expect(await outcome(third, [{ machine }, { process: "q" }])).toBe("elsewhere");
    expect(await outcome(third, [{ process: "p" }])).toEqual({ process: "p" });
  });

  it("leaves runs of other places to other sweeps, and does not count them per owner", async () => {
    const ownerId = freshOwner();
    const place = folder();
    const gone: string[] = [];
    for (let index = 0; index < 3; index++) gone.push((await placed(ownerId, place)).id);
    const { id } = await createRun(ownerId);
    expect(await take([{ machine: "another" }], { maxPerOwner: 1, only: [...gone, id] })).toEqual([
      id,
    ]);
    expect((await take([place])).filter((one) => gone.includes(one))).toEqual(gone);
  });

  it("gives child runs the place of their parent", async () => {
    const ownerId = freshOwner();
    const place = folder();
    const parent = await placed(ownerId, place);
    const child = await createRun(ownerId, {
      ...noCaps,
      input: { prompt: "part", place: { process: "elsewhere" } },
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    expect(child.place).toEqual(place);
    const free = await createRun(ownerId, {
      parent: { runId: (await createRun(ownerId)).id, failureMode: "best_effort" },
    });
    expect(free.place).toBeNull();
  });

  it("knows which places are served by the reports of workers", async () => {
    const ownerId = freshOwner();
    const [place, other] = [folder(), { process: randomUUID() }];
    await placed(ownerId, place);
    await placed(ownerId, place);
    await placed(ownerId, other);
    await createRun(ownerId);
    const served = async () =>
      (await store.workers.places(ownerId)).map(({ isServed, runs }) => [isServed, runs]);
    const worker = randomUUID();
    expect(await served()).toEqual([
      [false, 2],
      [false, 1],
    ]);
    await store.workers.report(worker, [{ machine: place.machine }]);
    expect(await store.workers.places(ownerId)).toEqual([
      { place, isServed: true, runs: 2 },
      { place: other, isServed: false, runs: 1 },
    ]);
    await under.passTime(workerTimeoutMs + 1_000);
    expect(await store.workers.isServed(place)).toBe(false);
    await store.workers.report(worker, [place]);
    expect(await store.workers.isServed(place)).toBe(true);
    await store.workers.remove(worker);
    expect(await store.workers.isServed(place)).toBe(false);
    expect(await store.workers.places(freshOwner())).toEqual([]);
  });

  it("lets any worker end a canceled run whose place is gone", async () => {
    const ownerId = freshOwner();
    const place = folder();
    const { id } = await placed(ownerId, place);
    const worker = randomUUID();
    await store.workers.report(worker, [place]);
    await store.runs.requestCancel(ownerId, id);
    expect(await outcome(id, [])).toBe("elsewhere");
    expect(await take([], { only: [id] })).toEqual([]);
    await store.workers.remove(worker);
    expect(await take([], { only: [id] })).toEqual([id]);
    expect(await outcome(id, [])).toEqual(place);
  });

  it("moves a run with its child runs, and writes it down", async () => {
    const ownerId = freshOwner();
    const place = folder();
    const parent = await placed(ownerId, place);
    const child = await createRun(ownerId, {
      parent: { runId: parent.id, failureMode: "best_effort" },
    });
    const to = { process: "p" };
    expect(await store.runs.move(ownerId, parent.id, to)).toMatchObject({ place: to });
    expect(await store.runs.get(ownerId, child.id)).toMatchObject({ place: to });
    for (const { id } of [parent, child]) {
      expect((await store.runs.events(ownerId, id, 0)).at(-1)).toMatchObject({
        type: "place",
        payload: { place: to, by: ownerId },
      });
      expect(await store.audit.list(ownerId, { runId: id, what: "run.moved" })).toMatchObject([
        { by: "owner", details: { place: to } },
      ]);
    }
    expect(await outcome(parent.id, [place])).toBe("elsewhere");
    await store.runs.move(ownerId, parent.id, null);
    expect(await outcome(parent.id, [])).toBeNull();
  });

  it("moves no run of another owner, that works, that has ended, or that is a child run", async () => {
    const ownerId = freshOwner();
    const run = await placed(ownerId, folder());
    const move = (id: string, owner = ownerId) => store.runs.move(owner, id, null);
    await expect(move(run.id, freshOwner())).rejects.toMatchObject({ code: "not_found" });
    await expect(move("x")).rejects.toMatchObject({ code: "not_found" });
    const child = await createRun(ownerId, {
      parent: { runId: run.id, failureMode: "best_effort" },
    });
    await expect(move(child.id)).rejects.toMatchObject({ code: "conflict" });
    const free = await createRun(ownerId);
    const { lease, lastSeq } = await claim(free.id);
    await expect(move(free.id)).rejects.toMatchObject({ code: "conflict" });
    await store.log.append(
      appendOf(lease, lastSeq, [note("x"), { type: "status", payload: { status: "completed" } }], {
        release: "end",
      }),
    );
    await expect(move(free.id)).rejects.toMatchObject({ code: "conflict" });
  });
}
