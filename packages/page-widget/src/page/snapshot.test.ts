import { describe, expect, it } from "vitest";
import { diffLines, linesOf } from "./snapshot.ts";
import type { Entry } from "./walk.ts";

const element = {} as Element;
const place = { isInView: true, distance: 0 };
const line = (key: string, text: string, group?: Entry): Entry => ({
  key,
  text,
  depth: group ? 1 : 0,
  element,
  place,
  group,
});
const keysOf = (entries: readonly Entry[]) => new Map(entries.map(({ key, text }) => [key, text]));

describe("diffLines", () => {
  const cart = line("e1", '[e1] list "Cart" ');
  const before = [cart, line("t2", "1 lamp", cart), line("t3", "Total €39")];

  it("names new, changed and removed lines below their group", () => {
    const after = [cart, line("t2", "2 lamps", cart), line("e4", '[e4] button "Pay"', cart)];
    expect(diffLines(after, keysOf(before), keysOf(after)).split("\n")).toEqual([
      'in [e1] list "Cart":',
      "~ 2 lamps",
      '+ [e4] button "Pay"',
      "- Total €39",
    ]);
  });

  it("is empty when nothing changed", () => {
    expect(diffLines(before, keysOf(before), keysOf(before))).toBe("");
  });

  it("counts removed lines beyond the first ones", () => {
    const many = Array.from({ length: 50 }, (_, index) => line(`t${index}`, `Row ${index}`));
    expect(diffLines([], keysOf(many), new Map()).split("\n").at(-1)).toBe("- 20 more lines");
  });
});

it("shows the depth of lines by spaces", () => {
  const list = line("e1", "list");
  expect(linesOf([list, line("t2", "item", list)])).toBe("list\n item");
});
