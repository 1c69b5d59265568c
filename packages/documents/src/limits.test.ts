import { describe, expect, it } from "vitest";
import { defaultLimits } from "./limits.ts";
import { defaultTiming, toolTimeoutMs } from "./tools/load-document.ts";

describe("the times that a document gets", () => {
  it("BR17 are 30 s until a person is told that it goes on, and two to three minutes in all", () => {
    expect(defaultTiming.softMs).toBe(30_000);
    for (const hardMs of [defaultLimits.hardMs, defaultTiming.limits.hardMs]) {
      expect(hardMs).toBeGreaterThanOrEqual(120_000);
      expect(hardMs).toBeLessThanOrEqual(180_000);
    }
  });

  it("BR17 end before the tool's own, so that what was read can still be kept", () =>
    expect(defaultTiming.limits.hardMs).toBeLessThan(toolTimeoutMs));

  it("BR17 are 10 s for a parser without progress, for the tools too", () => {
    expect(defaultLimits).toMatchObject({ startMs: 10_000, stallMs: 10_000 });
    expect(defaultTiming.limits.stallMs).toBeUndefined();
  });
});
