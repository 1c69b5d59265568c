import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkOneLine, checkText } from "./one-line.ts";
import { spellOut, visible } from "@bron/protocol";

const hidden = [
  "\n",
  "\r",
  "\u0000",
  "\u0085",
  "\u00AD",
  "\u034F",
  "\u061C",
  "\u115F",
  "\u180E",
  "\u200B",
  "\u200E",
  "\u200F",
  "\u2028",
  "\u202E",
  "\u2060",
  "\u2064",
  "\u2066",
  "\u3164",
  "\uFEFF",
  "\uFFF9",
  "\u{E0041}",
  "\u{E007F}",
  "\u{E0101}",
];
const honest = [
  "Zoë Ångström",
  "👩‍👩‍👧 family",
  "❤️",
  "می‌خواهم",
  "क्‍ष",
  "数据 – „Angebot“",
  "a\u0301",
  "٣ مارس",
];

describe("a single-line text", () => {
  it.each(hidden)("X1 must not contain %j", (character) => {
    expect(() => checkOneLine("The title", `Room${character}4`)).toThrow(
      "contains invisible characters",
    );
    expect(spellOut(`Room${character}4`)).toBe(
      `Room\\u{${character.codePointAt(0)?.toString(16)}}4`,
    );
  });

  it.each(["Ro\u200Dom", "Ro\u200Com", "é\u200Dé", "\u200D", "Room 4\u200D"])(
    "X1 must not contain a joiner that joins nothing: %j",
    (text) => {
      expect(() => checkOneLine("The title", text)).toThrow("contains invisible characters");
      expect(spellOut(text)).toContain("\\u{200");
    },
  );

  it.each(honest)("X1 may use any script: %s", (text) => {
    expect(() => checkOneLine("The title", text)).not.toThrow();
    expect(spellOut(text)).toBe(text);
  });

  it("X1 contains nothing hidden once it is spelled out", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom(...hidden),
            fc.string({ unit: "binary", minLength: 1, maxLength: 1 }),
          ),
        }),
        (text) => {
          expect(() => checkOneLine("It", spellOut(text))).not.toThrow();
        },
      ),
    );
  });
});

describe("a multi-line text", () => {
  it("X1 keeps line breaks and tabs, and spells out other hidden characters", () => {
    expect(visible("One\r\n\ttwo\n\nthree\u202E\u0000\r!")).toBe(
      "One\n\ttwo\n\nthree\\u{202e}\\u{0}\\u{d}!",
    );
  });

  it("RT13 is rejected if it cannot be stored", () => {
    for (const text of ["a\u0000b", "a\uD800b"])
      expect(() => checkText("The description", text)).toThrow(
        "The description contains invalid characters",
      );
    expect(() => checkText("The description", "Zeile\nשלום\u202E")).not.toThrow();
  });
});
