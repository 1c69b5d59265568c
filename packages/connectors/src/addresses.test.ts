import { sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatAddress, isAddress, parseAddress } from "./addresses.ts";
import { isEncodedWord } from "./one-line.ts";

/** Reference implementation as one pattern. Easy to read, but quadratic on long texts. */
function parseByPattern(text: string): string {
  const [, quoted, plain, inner] =
    /^(?:"((?:[^"\\]|\\.)*)"|([^<>",;:]*))\s*<([^<>]*)>$/.exec(text.trim()) ?? [];
  const address = (inner ?? text).trim();
  const name = (quoted?.replaceAll(/\\(.)/g, "$1") ?? plain ?? "").trim();
  return isEncodedWord(name) || !isAddress(address) ? "rejected" : formatAddress({ name, address });
}

function parsed(text: string): string {
  try {
    return formatAddress(parseAddress(text));
  } catch {
    return "rejected";
  }
}

describe("parseAddress", () => {
  it("agrees with the reference pattern", () => {
    const pieces = [
      "a",
      "Eva",
      " ",
      "  ",
      '"',
      "\\",
      '\\"',
      "<",
      ">",
      "a@b.example",
      "<a@b.example>",
      "@",
      ".",
      ",",
      ";",
      ":",
      "=?utf-8?q?a?=",
      "é",
    ];
    const text = fc
      .array(fc.constantFrom(...pieces), { maxLength: 8 })
      .map((deps) => deps.join(""));
    fc.assert(
      fc.property(text, (one) => {
        expect(parsed(one), JSON.stringify(one)).toBe(parseByPattern(one));
      }),
      { seed: 20_260_801, numRuns: sampleCount(30_000) },
    );
    const likely = fc
      .tuple(
        text,
        fc.constantFrom("", " ", "  "),
        fc.constantFrom("<a@b.example>", "< a@b.example >", "<a>", "a@b.example"),
      )
      .map((deps) => deps.join(""));
    fc.assert(
      fc.property(likely, (one) => {
        expect(parsed(one), JSON.stringify(one)).toBe(parseByPattern(one));
      }),
      { seed: 20_260_802, numRuns: sampleCount(10_000) },
    );
  });

  it.each([
    ["eva@x.example", "eva@x.example"],
    ["Eva Berg <eva@x.example>", "Eva Berg <eva@x.example>"],
    ['"Berg, Eva" <eva@x.example>', '"Berg, Eva" <eva@x.example>'],
    ["Eva <a@b.example> <eva@x.example>", "rejected"],
  ])("%s", (text, expected) => expect(parsed(text)).toBe(expected));
});
