import { expect, test } from "vitest";
import { wrap, wrapAll } from "./wrap.ts";

test("breaks a line at spaces and keeps its indent", () => {
  expect(wrap("  one two three four", 11)).toEqual(["  one two", "  three", "  four"]);
  expect(wrap("short", 11)).toEqual(["short"]);
  expect(wrap("a line of a file", Number.POSITIVE_INFINITY)).toEqual(["a line of a file"]);
});

test("a labeled text continues below the text", () => {
  expect(wrap("  Why:  one two three four five", 19)).toEqual([
    "  Why:  one two",
    "        three four",
    "        five",
  ]);
});

test("a long word stays whole, so that a link can be copied", () => {
  const link = "https://example.com/a-very-long-path";
  expect(wrap(`  ${link}`, 12)).toEqual([`  ${link}`]);
  expect(wrap(`see ${link} now`, 12)).toEqual(["see", link + " now"]);
});

test("lines within a text are broken one by one", () => {
  expect(wrapAll(["one two\nthree", "four"], 5)).toEqual(["one", "two", "three", "four"]);
});
