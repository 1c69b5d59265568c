import { expect, it } from "vitest";
import { niceTop } from "./amounts.ts";

it.each([
  [0, 1],
  [3, 3],
  [7, 10],
  [10, 10],
  [11, 20],
  [260, 500],
  [990_000, 1_000_000],
])("BR25 an axis for %d ends at %d", (most, top) => {
  expect(niceTop(most)).toBe(top);
});
