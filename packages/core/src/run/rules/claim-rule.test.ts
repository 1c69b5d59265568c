import { logVersion, type Place } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { type ClaimableRun, whyNotClaim } from "./claim-rule.ts";

const now = 1_000_000;
const leaseMs = 5_000;
const run: ClaimableRun = {
  ownerId: "ada",
  status: "executing",
  runnable: true,
  cancelRequested: false,
  logVersion,
  place: null,
  isPlaceServed: false,
  wakeAt: now,
  lease: undefined,
};
const request = {
  runId: "run",
  worker: "one",
  leaseMs,
  takeOverUntil: now + 10_000,
  serves: [{ machine: "mine" }],
  maxPerOwner: 2,
  maxInAll: 3,
};
const placedAt = (place: Place): ClaimableRun => ({ ...run, place });
const leasedUntil = (until: number, owner = "two") => ({ ...run, lease: { owner, until } });
const reasonFor = (claimed: ClaimableRun, others: readonly ClaimableRun[] = [], wish = {}) =>
  whyNotClaim(claimed, others, { ...request, ...wish }, now);

describe("whyNotClaim", () => {
  it.each([
    ["a runnable run", run, undefined],
    ["a parked run", { ...run, runnable: false }, "not_runnable"],
    ["a finished run", { ...run, status: "completed" as const }, "not_runnable"],
    ["a log of a later version", { ...run, logVersion: logVersion + 1 }, "too_new"],
    ["a run of this machine", placedAt({ machine: "mine", folder: "/a" }), undefined],
    ["a run of another machine", placedAt({ machine: "other", folder: "/a" }), "elsewhere"],
    ["a run of another process", placedAt({ process: "mine" }), "elsewhere"],
    [
      "a canceled run of a place that is gone",
      { ...placedAt({ process: "gone" }), cancelRequested: true },
      undefined,
    ],
    [
      "a canceled run of a place that another worker serves",
      { ...placedAt({ process: "other" }), cancelRequested: true, isPlaceServed: true },
      "elsewhere",
    ],
    ["a run whose time has not come", { ...run, wakeAt: now + 1 }, "too_early"],
    [
      "a canceled run whose time has not come",
      { ...run, wakeAt: now + 1, cancelRequested: true },
      undefined,
    ],
    ["a run under another worker's lease", leasedUntil(now), "taken"],
    ["a run under the worker's own lease", leasedUntil(now + leaseMs, "one"), undefined],
    ["an expired lease", leasedUntil(now - 1), undefined],
    ["a lease within the horizon", leasedUntil(now + 60_000), "taken"],
    ["a lease beyond the horizon", leasedUntil(now + 60_001), undefined],
  ])("decides about %s", (_, claimed, reason) => {
    expect(reasonFor(claimed)).toBe(reason);
  });

  it("does not take over a lease after takeOverUntil", () => {
    expect(reasonFor(leasedUntil(now - 1), [], { takeOverUntil: now })).toBe("taken");
  });

  it("does not judge a late lease for a worker whose own time is late", () => {
    const wish = { takeOverUntil: now + 60_001 };
    expect(reasonFor(leasedUntil(now + 60_002), [], wish)).toBe("taken");
  });

  it("limits the live leases of an owner and of all owners", () => {
    const held = leasedUntil(now);
    const others = [held, { ...held, ownerId: "ben" }];
    expect(reasonFor(run, others)).toBeUndefined();
    expect(reasonFor(run, [...others, held])).toBe("limit");
    expect(reasonFor(run, others, { maxPerOwner: 1 })).toBe("limit");
    expect(reasonFor(run, others, { maxInAll: 2 })).toBe("limit");
  });

  it("does not count leases that have expired or lie beyond the horizon", () => {
    const dead = [leasedUntil(now - 1), leasedUntil(now + 60_001)];
    expect(reasonFor(run, dead, { maxPerOwner: 1, maxInAll: 1 })).toBeUndefined();
  });
});
