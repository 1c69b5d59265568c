import type { TakeRequest } from "@bron/core";
import { manualClock } from "@bron/testing";
import { afterEach, describe, expect, it } from "vitest";
import { startSweeper, type SweeperOptions } from "./sweeper.ts";

const sweepMs = 1_000;
const request: TakeRequest = {
  worker: "w1",
  active: [],
  only: undefined,
  limit: 5,
  leaseMs: 5_000,
  takeOverUntil: 0,
  serves: [],
  maxPerOwner: 50,
  maxInAll: 50,
};

/** Lets the sweeper start its next pause. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("a sweeper", () => {
  const stopping: AbortController[] = [];
  afterEach(() => stopping.splice(0).forEach((controller) => controller.abort()));

  /** Records what it asks of the store. Runs that the test adds are taken once. */
  function openHarness(changes: Partial<SweeperOptions> = {}) {
    const clock = manualClock();
    const asked: string[] = [];
    const [runnable, taken, problems] = [[] as string[], [] as string[], [] as string[]];
    const controller = new AbortController();
    stopping.push(controller);
    const sweeper = startSweeper({
      source: {
        async takeRunnable() {
          asked.push("take");
          return runnable.splice(0).map((runId) => ({ runId, ownerId: "o", wake: 1 }) as never);
        },
        startUpkeep: () => Promise.resolve(0),
        async expireDue() {
          asked.push("expire");
          return 0;
        },
        startDue: () => Promise.resolve(0),
        pollWatches: () => Promise.resolve(0),
        async notifyParents(only) {
          asked.push(`notify ${only?.join() ?? "all"}`);
          return 0;
        },
      },
      clock,
      sweepMs,
      stopping: controller.signal,
      isHealthy: () => true,
      request: () => request,
      related: () => undefined,
      onTaken: (runId) => taken.push(runId),
      onProblem: (message) => problems.push(message),
      ...changes,
    });
    return { asked, clock, controller, problems, runnable, sweeper, taken };
  }

  it("sweeps at once, then at each interval, and earlier on request", async () => {
    const { asked, clock, runnable, sweeper, taken } = openHarness();
    await expect.poll(() => asked).toEqual(["notify all", "expire", "take"]);
    runnable.push("a");
    await clock.pass(sweepMs);
    expect(taken).toEqual(["a"]);
    runnable.push("b");
    await clock.pass(50);
    expect(taken).toEqual(["a"]);
    sweeper.hurry();
    await settle();
    await clock.pass(50);
    expect(taken).toEqual(["a", "b"]);
  });

  it("takes nothing without room, but still notifies parents", async () => {
    const { asked, clock } = openHarness({ request: () => undefined, related: () => ["run"] });
    await settle();
    await clock.pass(sweepMs);
    expect(asked).toEqual(["notify run", "notify run"]);
  });

  it("asks the store for nothing while leases are at risk", async () => {
    const { asked, clock } = openHarness({ request: () => undefined, isHealthy: () => false });
    await settle();
    await clock.pass(sweepMs);
    expect(asked).toEqual([]);
  });

  it("reports a failed sweep and continues with the next", async () => {
    let fails = true;
    const { clock, problems, taken } = openHarness({
      source: {
        takeRunnable: async () => {
          if (fails) throw new TypeError("away");
          return [{ runId: "a" } as never];
        },
        expireDue: () => Promise.reject(new TypeError("away")),
        startDue: () => Promise.resolve(0),
        pollWatches: () => Promise.resolve(0),
        notifyParents: () => Promise.resolve(0),
        startUpkeep: () => Promise.resolve(0),
      },
    });
    await expect
      .poll(() => problems)
      .toEqual(["Could not expire approvals: away", "The sweep failed: away"]);
    fails = false;
    await clock.pass(sweepMs);
    expect(taken).toEqual(["a"]);
  });

  it("ends when the worker stops", async () => {
    const { asked, clock, controller, sweeper } = openHarness();
    await expect.poll(() => asked.length).toBe(3);
    controller.abort();
    await sweeper.ended();
    await clock.pass(sweepMs * 3);
    expect(asked).toHaveLength(3);
  });
});
