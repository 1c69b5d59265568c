import { expect, it } from "vitest";
import { visible } from "./visible.ts";

it("X3 escapes hidden characters, useless joiners, direction changes and line breaks", () => {
  for (const code of [
    0x0, 0x1b, 0x7f, 0xad, 0x34f, 0x61c, 0x115f, 0x17b4, 0x180e, 0x200b, 0x200c, 0x200e, 0x2028,
    0x202e, 0x2060, 0x2066, 0x3164, 0xfeff, 0xffa0, 0xfff9, 0xe0041, 0xe0163,
  ]) {
    expect(visible(`Hello${String.fromCodePoint(code)} there`), code.toString(16)).toBe(
      `Hello\\u{${code.toString(16)}} there`,
    );
  }
});

it("keeps line breaks, tabs, emoji and scripts that need joiners", () => {
  for (const text of ["one\ntwo\tthree", "👩‍👩‍👧 ✌️", "می‌خواهم", "क्‍ष", "Grüße"])
    expect(visible(text)).toBe(text);
  expect(visible("a\r\nb\rc")).toBe("a\nb\\u{d}c");
});
