import type { Lease, Renewal, RunLog } from "@bron/core";
import { manualClock, type ManualClock } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { startLeaseKeeper, type LeaseKeeper } from "./lease-keeper.ts";

const leaseMs = 5_000;
const lease: Lease = { runId: "run", ownerId: "owner", worker: "w", epoch: 3 };

describe("the lease keeper", () => {
  let keeper: LeaseKeeper | undefined;
  afterEach(() => void keeper?.stop());

  function start(renew: () => Promise<Renewal>, clock: ManualClock = manualClock()) {
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

  const kept = (epoch = lease.epoch): Renewal => ({
    databaseNow: 1_000_000,
    kept: [{ runId: "run", epoch, lastSeq: 7 }],
  });

  it("X2 says once that the leases are at risk when it could not renew for half of one, and is healthy again after a beat", async () => {
    let isAway = false;
    const {
      clock,
      heard,
      keeper: under,
    } = start(() => (isAway ? Promise.reject(new TypeError("away")) : Promise.resolve(kept())));
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
    const { clock, heard } = start(() =>
      hangs ? new Promise(() => undefined) : Promise.resolve(kept()),
    );
    await clock.pass(1_500);
    hangs = true;
    await clock.pass(4_000);
    expect(heard.risk).toBe(1);
  });

  it("X2 counts a lease from the beginning of its renewal, however long the database took", async () => {
    const clock = manualClock();
    let renewals = 0;
    // The first takes 40 % of a lease, so that 60 % of it are left when it returns; the next ones hang.
    const renew = async () => {
      if (++renewals > 1) return await new Promise<Renewal>(() => undefined);
      await clock.sleep(leaseMs * 0.4);
      return kept();
    };
    const { heard, keeper: under } = start(renew, clock);
    await clock.pass(leaseMs * 0.45);
    expect(heard.risk).toBe(0);
    expect(under.healthy()).toBe(true);
    await clock.pass(leaseMs * 0.15);
    expect(heard.risk).toBe(1);
    expect(under.healthy()).toBe(false);
  });

  it("X2 is at risk at once after the machine slept: the wall clock jumps while the monotonic one stands still", async () => {
    const base = manualClock();
    let asleepMs = 0;
    const clock: ManualClock = { ...base, now: () => base.now() + asleepMs };
    let isAway = false;
    const { heard, keeper: under } = start(
      () => (isAway ? Promise.reject(new TypeError("away")) : Promise.resolve(kept())),
      clock,
    );
    await clock.pass(leaseMs);
    expect(under.healthy()).toBe(true);
    isAway = true;
    asleepMs = 3_600_000;
    expect(under.healthy()).toBe(false);
    expect(under.takeOverUntil()).toBe(0);
    await clock.pass(leaseMs / 10);
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

  it("X2 takes over no lease for half a lease after the database's clock was set back", async () => {
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
    const { clock, keeper: under } = start(() =>
      isAway ? Promise.reject(new TypeError("away")) : Promise.resolve(kept()),
    );
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
