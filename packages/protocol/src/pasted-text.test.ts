import { describe, expect, it } from "vitest";
import { describeText, isMoreThanALine } from "./pasted-text.ts";

describe("isMoreThanALine", () => {
  it.each([
    ["a word", "Jonas"],
    ["a sentence", "the offer of last Monday, in the blue folder"],
    ["a line with its end", "invoice-march.pdf\r\n"],
    ["an address", "jonas@lindqvist.example"],
    ["a long URL", `https://example.com/${"a".repeat(2_000)}?q=1`],
    ["an id", "3f9a1c20-0000-4000-8000-000000000000"],
    ["a line of 200 characters", "word ".repeat(40).trim().padEnd(200, "x")],
    ["only line ends", "\n\n"],
    ["nothing", ""],
  ])("is false for %s", (_what, text) => {
    expect(isMoreThanALine(text)).toBe(false);
  });

  it.each([
    ["two lines", "Dear Mara,\nthe offer"],
    ["lines of an old Mac", "a\rb"],
    ["lines of a word processor", "a\u2028b"],
    ["a list of addresses", "eva@brandt.example\njonas@lindqvist.example"],
    ["a paragraph", "word ".repeat(41).trim()],
  ])("is true for %s", (_what, text) => {
    expect(isMoreThanALine(text)).toBe(true);
  });
});

describe("describeText", () => {
  it("counts the lines without those around the text, and shortens the start", () => {
    expect(describeText("\nDear  Mara,\r\nthe offer\n\n")).toEqual({
      lines: 2,
      start: "Dear Mara, the offer",
    });
    const { lines, start } = describeText(`${"word ".repeat(30)}`);
    expect({ lines, length: start.length, end: start.at(-1) }).toEqual({
      lines: 1,
      length: 60,
      end: "…",
    });
  });

  it("splits no character in two", () => {
    expect(describeText("😀".repeat(60)).start.isWellFormed()).toBe(true);
  });
});
