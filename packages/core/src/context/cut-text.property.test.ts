import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { maxOutputCharacters, previewOutput, splitOutput } from "../tool/output-preview.ts";
import { boundaryAfter, boundaryBefore } from "./cut-text.ts";

/** Pieces that a careless cut would break, and lone surrogates. */
const piece = fc.constantFrom(
  "a",
  " ",
  "\n",
  "\r\n",
  "é",
  "e\u0301",
  "🙂",
  "👩\u200d👩\u200d👧",
  "👍🏽",
  "🇩🇪",
  "\ud83d",
  "\ude42",
  "\u0000",
);
const text = fc.array(piece, { maxLength: 200 }).map((pieces) => pieces.join(""));

describe("boundaries of a text", () => {
  it("are never inside a pair, a combining sequence or a line break", () => {
    const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });
    const whole = fc
      .array(fc.constantFrom("a", "\n", "\r\n", "e\u0301", "🙂", "👩\u200d👩\u200d👧", "👍🏽", "🇩🇪"))
      .map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(whole, fc.nat(400), (value, offset) => {
        const starts = new Set([
          ...[...graphemes.segment(value)].map(({ index }) => index),
          value.length,
        ]);
        expect(starts).toContain(boundaryBefore(value, offset));
        expect(starts).toContain(boundaryAfter(value, offset));
      }),
    );
  });

  it("are on their side of the offset, and split no pair of any text", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: -5, max: 600 }), (value, offset) => {
        const inside = Math.min(Math.max(0, offset), value.length);
        const before = boundaryBefore(value, offset);
        const after = boundaryAfter(value, offset);
        expect(before).toBeLessThanOrEqual(inside);
        expect(after).toBeGreaterThanOrEqual(inside);
        for (const at of [before, after]) {
          const loneHalves = (part: string) =>
            Array.from(part).filter((character) => !character.isWellFormed()).length;
          expect(loneHalves(value.slice(0, at)) + loneHalves(value.slice(at))).toBe(
            loneHalves(value),
          );
        }
      }),
    );
  });

  it("takes a bounded number of steps for a text of accents only", () => {
    const accents = "\u0301".repeat(2_000_000);
    expect(boundaryBefore(accents, 1_000_000)).toBe(1_000_000);
    expect(boundaryAfter(accents, 1_000_000)).toBe(1_000_000);
  });
});

describe("the preview of an output", () => {
  const long = fc
    .tuple(piece, piece, fc.integer({ min: maxOutputCharacters + 1, max: 2 * maxOutputCharacters }))
    .map(([a, b, length]) => `${a}${b}`.repeat(length).slice(0, length));

  it("has 20 % of its characters from the head and 80 % from the tail", () => {
    fc.assert(
      fc.property(long, (value) => {
        const { head, tail } = splitOutput(value);
        expect(value.startsWith(head)).toBe(true);
        expect(value.endsWith(tail)).toBe(true);
        expect(head.length).toBeLessThanOrEqual(8_000);
        expect(head.length).toBeGreaterThan(8_000 - 256);
        expect(tail.length).toBeLessThanOrEqual(32_000);
        expect(tail.length).toBeGreaterThan(32_000 - 256);
        expect(head.length + tail.length).toBeLessThanOrEqual(value.length);
        if (value.isWellFormed())
          expect([head.isWellFormed(), tail.isWellFormed()]).toEqual([true, true]);
      }),
      { numRuns: 50 },
    );
  });

  it("says how much is left out, and how to read it", () => {
    expect(previewOutput("a".repeat(8_000) + "b".repeat(5) + "c".repeat(32_000), "id")).toBe(
      `${"a".repeat(8_000)}\n[5 of 40005 characters are left out here. To read them, call output_read with output "id" and from 8000.]\n${"c".repeat(32_000)}`,
    );
  });
});
