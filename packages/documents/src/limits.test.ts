import { describe, expect, it } from "vitest";
import { defaultLimits } from "./limits.ts";
import { defaultTiming, toolTimeoutMs } from "./tools/load-document.ts";

describe("time limits of a document", () => {
  it("BR17 are 30 s until the user sees progress, and two to three minutes in total", () => {
    expect(defaultTiming.softMs).toBe(30_000);
    for (const hardMs of [defaultLimits.hardMs, defaultTiming.limits.hardMs]) {
      expect(hardMs).toBeGreaterThanOrEqual(120_000);
      expect(hardMs).toBeLessThanOrEqual(180_000);
    }
  });

  it("BR17 end before the tool's timeout, so that partial results can still be saved", () =>
    expect(defaultTiming.limits.hardMs).toBeLessThan(toolTimeoutMs));

  it("BR17 are 10 s without progress, also for the tools", () => {
    expect(defaultLimits).toMatchObject({ startMs: 10_000, stallMs: 10_000 });
    expect(defaultTiming.limits.stallMs).toBeUndefined();
  });
});
