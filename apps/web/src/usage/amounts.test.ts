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
])("BR25 rounds the axis for %d up to %d", (max, top) => {
  expect(niceTop(max)).toBe(top);
});
