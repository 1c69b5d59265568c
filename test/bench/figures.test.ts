import { describe, expect, it } from "vitest";
import { brokenBars, largest } from "../../bench/support/figures.ts";
import { speedBars } from "../../bench/support/speed-bars.ts";

describe("benchmark figures", () => {
  it("report every bar that does not hold, and ignore aims and plain numbers", () => {
    const unit = "ms" as const;
    const broken = brokenBars({
      one: {
        figures: [
          { name: "slow", value: 301, unit, bar: { atMost: 300 } },
          { name: "quick", value: 300, unit, bar: { atMost: 300 } },
          { name: "aimed", value: 9, unit, aim: { atMost: 1 } },
        ],
      },
      other: {
        figures: [
          { name: "few", value: 0.5, unit: "x", bar: { atLeast: 0.6 } },
          { name: "plain", value: 1e9, unit },
          { name: "not measured", value: Number.NaN, unit, bar: { atMost: 1 } },
        ],
      },
    });
    expect(broken.map(({ name }) => name)).toEqual(["slow", "few", "not measured"]);
  });

  it("BR24 fail the benchmark when a person would wait longer than promised: 300 ms, 1 s, 5 s, 30 s, 2 min", () => {
    expect(speedBars).toEqual({
      createRun: { atMost: 300 },
      eventToScreen: { atMost: 1_000 },
      mailSearch: { atMost: 5_000 },
      smallExtraction: { atMost: 30_000 },
      demoRun: { atMost: 120_000 },
    });
    for (const [name, bar] of Object.entries(speedBars)) {
      const figureOf = (value: number) => ({
        one: { figures: [{ name, value, unit: "ms" as const, bar }] },
      });
      expect(brokenBars(figureOf(bar.atMost + 1)), name).toHaveLength(1);
      expect(brokenBars(figureOf(bar.atMost)), name).toEqual([]);
    }
  });

  it("find the largest of more samples than a call may have arguments", () => {
    expect(largest(Array.from({ length: 300_000 }, (_, at) => (at === 7 ? 1_000_000 : at)))).toBe(
      1_000_000,
    );
  });
});
