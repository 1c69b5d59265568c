import fc from "fast-check";
import { expect, test } from "vitest";
import { pageLines } from "./web-pages.ts";

const cell = fc.stringMatching(/^[A-Za-z0-9 ,.€]{1,20}$/).filter((text) => text.trim() !== "");
const line = fc.array(cell, { minLength: 1, maxLength: 4 }).map((cells) => cells.join("\t"));
const page = fc
  .array(fc.oneof(line, fc.constant("")), { maxLength: 12 })
  .map((lines) => lines.join("\n"));

test("returns only words that appear on the page", () => {
  fc.assert(
    fc.property(page, fc.boolean(), fc.constantFrom([], ["a"]), (text, wantsPrices, topic) => {
      const written = new Set(text.split(/[\s;:|]+/));
      for (const word of pageLines(text, topic, wantsPrices)
        .join("\n")
        .split(/[\s;:|]+/)
        .filter((part) => part !== ""))
        expect(written).toContain(word);
    }),
  );
});

const prices =
  "Part\tFrom 100\tFrom 500\nFrame tube\t41.80 EUR\t38.20 EUR\nDropout, steel\t6.40 EUR\t5.75 EUR\n\nDelivery takes ten days.";

test.each([
  [["dropouts"], false, ["Dropout, steel: From 100 6.40 EUR; From 500 5.75 EUR"]],
  [
    [],
    true,
    [
      "Frame tube: From 100 41.80 EUR; From 500 38.20 EUR",
      "Dropout, steel: From 100 6.40 EUR; From 500 5.75 EUR",
    ],
  ],
  [["delivery"], false, ["Delivery takes ten days."]],
  [["saddle"], false, []],
])("asked about %s, prices %s", (topic, wantsPrices, lines) => {
  expect(pageLines(prices, topic, wantsPrices)).toEqual(lines);
});
