import { describe, expect, it } from "vitest";
import { unseenParts, withPart, type Part } from "./seen-parts.ts";

const seen = (...parts: Part[]) => parts.reduce(withPart, [] as readonly Part[]);

describe("how much of what leaves has been on the screen", () => {
  it("X1 is whole only when every part was, in whatever order", () => {
    expect(unseenParts(seen([0, 0.4], [0.8, 1]), 0.01)).toEqual([[0.4, 0.8]]);
    expect(unseenParts(seen([0.7, 1], [0, 0.3], [0.25, 0.75]), 0.01)).toEqual([]);
    expect(unseenParts([], 0.01)).toEqual([[0, 1]]);
  });

  it("X1 does not count its end as its whole", () => {
    expect(unseenParts(seen([0.6, 1]), 0.01)).toEqual([[0, 0.6]]);
  });

  it("does not wait for a sliver", () => {
    expect(unseenParts(seen([0.001, 0.999]), 0.01)).toEqual([]);
  });
});
