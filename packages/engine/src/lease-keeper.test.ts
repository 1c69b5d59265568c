import type { Lease, Renewal, RunLog } from "@bron/core";
import { manualClock, type ManualClock } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { startLeaseKeeper, type LeaseKeeper } from "./lease-keeper.ts";

const leaseMs = 5_000;
const lease: Lease = {
  runId: "run",
  ownerId: "owner",
  worker: "w",
  epoch: 3,
  cappedAncestors: [],
};

describe("the lease keeper", () => {
  let keeper: LeaseKeeper | undefined;
  afterEach(() => void keeper?.stop());

  function start(renew: () => Promise<Renewal>, clock: ManualClock = manualClock()) {
    const heard = { risk: 0, lost: [] as string[], logAdvanced: [] as number[] };
    keeper = startLeaseKeeper({
      log: { renew } as unknown as RunLog,
      clock,
      worker: "w",
      leaseMs,
      held: () => [lease],
      onLost: ({ runId }) => heard.lost.push(runId),
      onLogAdvanced: (_runId, lastSeq) => heard.logAdvanced.push(lastSeq),
      onRisk: () => heard.risk++,
    });
    return { clock, heard, keeper };
  }

  const kept = (epoch = lease.epoch): Renewal => ({
    databaseNow: 1_000_000,
    kept: [{ runId: "run", epoch, lastSeq: 7 }],
  });

  it("X2 reports leases at risk once after half a lease without renewal, and is healthy again after a heartbeat", async () => {
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

  it("X2 treats a database that hangs like one that is unreachable", async () => {
    let hangs = false;
    const { clock, heard } = start(() =>
      hangs ? new Promise(() => undefined) : Promise.resolve(kept()),
    );
    await clock.pass(1_500);
    hangs = true;
    await clock.pass(4_000);
    expect(heard.risk).toBe(1);
  });

  it("X2 counts a lease from the start of its renewal, however long the database took", async () => {
    const clock = manualClock();
    let renewals = 0;
    // The first renewal takes 40% of a lease, so 60% of it is left when it returns. The next ones
    // hang.
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

  it("X2 is at risk immediately after the machine slept, when the wall clock jumps and the monotonic clock does not", async () => {
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

  it("reports a lease that another worker has, and where the log of a kept one ends", async () => {
    let epoch = lease.epoch;
    const { clock, heard } = start(() => Promise.resolve(kept(epoch)));
    await clock.pass(500);
    expect(heard).toMatchObject({ lost: [], logAdvanced: [7] });
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

  it("takes over leases only after half a lease of unbroken heartbeats, and only for half a lease", async () => {
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
