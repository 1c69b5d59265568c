import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { escapeText, joinLines, parameterValue } from "./ics-lines.ts";

const unescape = (text: string) =>
  text.replace(/\\([\\;,n])/g, (_, sign: string) => (sign === "n" ? "\n" : sign));

describe("lines of a calendar file", () => {
  test("are at most 75 bytes long and restored by unfolding", () =>
    fc.assert(
      fc.property(
        fc.array(
          fc
            .string({ unit: "grapheme", minLength: 1, maxLength: 300 })
            .map((text) => `X-NAME:${escapeText(text)}`),
          { minLength: 1, maxLength: 4 },
        ),
        (lines) => {
          const folded = joinLines(lines);
          for (const line of folded.split("\r\n"))
            expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
          expect(folded.replaceAll("\r\n ", "")).toBe(`${lines.join("\r\n")}\r\n`);
        },
      ),
    ));

  test("keep every text without injecting lines", () =>
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("a", "ü", ";", ",", "\\", "\n", "\r", ":", '"', " ", "n"),
        }),
        (text) => {
          expect(escapeText(text)).not.toMatch(/[\r\n]/);
          expect(unescape(escapeText(text))).toBe(text.replace(/\r\n|\r/g, "\n"));
          expect(parameterValue(text)).toMatch(/^(?:[^":;,\r\n]*|"[^"\r\n]*")$/);
        },
      ),
    ));
});
