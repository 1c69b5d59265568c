import type { Lease, Renewal, RunLog } from "@bron/core";
import { manualClock } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { startLeaseKeeper, type LeaseKeeper } from "./lease-keeper.ts";

const leaseMs = 5_000;
const lease: Lease = { runId: "run", ownerId: "owner", worker: "w", epoch: 3 };

describe("the lease keeper", () => {
  let keeper: LeaseKeeper | undefined;
  afterEach(() => void keeper?.stop());

  function start(renew: () => Promise<Renewal>) {
    const clock = manualClock();
    const heard = { risk: 0, lost: [] as string[], moved: [] as number[] };
    keeper = startLeaseKeeper({
      log: { renew } as unknown as RunLog,
      clock,
      worker: "w",
      leaseMs,
      held: () => [lease],
      onLost: ({ runId }) => heard.lost.push(runId),
      onMoved: (_runId, lastSeq) => heard.moved.push(lastSeq),
      onRisk: () => heard.risk++,
    });
    return { clock, heard, keeper };
  }

  const kept = (epoch = lease.epoch): Renewal => ({ databaseNow: 1_000_000, kept: [{ runId: "run", epoch, lastSeq: 7 }] });

  it("X2 says once that the leases are at risk when it could not renew for half of one, and is healthy again after a beat", async () => {
    let isAway = false;
    const { clock, heard, keeper: under } = start(() => (isAway ? Promise.reject(new TypeError("away")) : Promise.resolve(kept())));
    await clock.pass(2_000);
    expect(heard).toMatchObject({ risk: 0, lost: [] });
    isAway = true;
    await clock.pass(1_000);
    expect(heard.risk).toBe(0);
    await clock.pass(3_000);
    expect(heard.risk).toBe(1);
    expect(under.healthy()).toBe(false);
    await clock.pass(5_000);
    expect(heard.risk).toBe(1);
    isAway = false;
    await clock.pass(1_500);
    expect(under.healthy()).toBe(true);
  });

  it("X2 notices a database that hangs as one that is away", async () => {
    let hangs = false;
    const { clock, heard } = start(() => (hangs ? new Promise(() => undefined) : Promise.resolve(kept())));
    await clock.pass(1_500);
    hangs = true;
    await clock.pass(4_000);
    expect(heard.risk).toBe(1);
  });

  it("tells of a lease that another worker has, and where the log of a kept one ends", async () => {
    let epoch = lease.epoch;
    const { clock, heard } = start(() => Promise.resolve(kept(epoch)));
    await clock.pass(500);
    expect(heard).toMatchObject({ lost: [], moved: [7] });
    epoch++;
    await clock.pass(1_000);
    expect(heard.lost).toEqual(["run"]);
  });

  it("X2 lets nobody be taken over for half a lease after the database's clock was set back", async () => {
    let databaseNow = 10_000_000;
    const { clock, keeper: under } = start(() => Promise.resolve({ ...kept(), databaseNow }));
    await clock.pass(3_000);
    expect(under.takeOverUntil()).toBe(databaseNow + leaseMs / 2);
    databaseNow -= 3_600_000;
    await clock.pass(1_000);
    expect(under.takeOverUntil()).toBe(0);
    await clock.pass(2_500);
    expect(under.takeOverUntil()).toBe(databaseNow + leaseMs / 2);
  });

  it("lets nobody be taken over before its own beats were whole for half a lease, nor after they broke, and only for half a lease", async () => {
    let isAway = false;
    const { clock, keeper: under } = start(() => (isAway ? Promise.reject(new TypeError("away")) : Promise.resolve(kept())));
    await clock.pass(2_000);
    expect(under.takeOverUntil()).toBe(0);
    await clock.pass(1_000);
    expect(under.takeOverUntil()).toBe(1_000_000 + leaseMs / 2);
    isAway = true;
    await clock.pass(4_000);
    expect(under.takeOverUntil()).toBe(0);
    isAway = false;
    await clock.pass(2_000);
    expect(under.takeOverUntil()).toBe(0);
    await clock.pass(2_500);
    expect(under.takeOverUntil()).toBe(1_000_000 + leaseMs / 2);
  });
});
