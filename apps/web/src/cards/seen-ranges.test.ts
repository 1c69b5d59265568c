import { describe, expect, it } from "vitest";
import { unseenRanges, addRange, type Range } from "./seen-ranges.ts";

const seen = (...ranges: Range[]) => ranges.reduce(addRange, [] as readonly Range[]);

describe("the ranges that have been on the screen", () => {
  it("X1 are complete only when all ranges were seen, in any order", () => {
    expect(unseenRanges(seen([0, 0.4], [0.8, 1]), 0.01)).toEqual([[0.4, 0.8]]);
    expect(unseenRanges(seen([0.7, 1], [0, 0.3], [0.25, 0.75]), 0.01)).toEqual([]);
    expect(unseenRanges([], 0.01)).toEqual([[0, 1]]);
  });

  it("X1 are not complete when only the end was seen", () => {
    expect(unseenRanges(seen([0.6, 1]), 0.01)).toEqual([[0, 0.6]]);
  });

  it("ignore gaps thinner than the slack", () => {
    expect(unseenRanges(seen([0.001, 0.999]), 0.01)).toEqual([]);
  });
});
