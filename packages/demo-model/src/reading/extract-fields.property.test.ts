import { threadCpuMs } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { extractFields } from "./extract-fields.ts";
import type { FoundField } from "./find-labeled.ts";
import { generatedDocument, type GeneratedDocument } from "./generated-document.fixture.ts";

const documents = 600;
const dates = new Set(["Date", "Invoice Date", "Order Date"]);

function isTrue({ key, value }: FoundField, truth: GeneratedDocument["truth"]): boolean {
  const wanted = truth[dates.has(key) ? "Date" : key];
  return wanted !== undefined && flat(value) === flat(wanted);
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

describe("unseen documents", () => {
  const seed = Date.now();
  const made = fc.sample(generatedDocument, { numRuns: documents, seed });
  const read = made.map((document) => ({ document, fields: extractFields(document.view) }));

  test("yields five or more correct fields for at least 95% of invoices and orders", () => {
    const poor = read.filter(
      ({ document, fields }) => fields.filter((field) => isTrue(field, document.truth)).length < 5,
    );
    expect(
      poor.length / documents,
      `seed ${seed}: ${JSON.stringify(poor[0], undefined, 1)}`,
    ).toBeLessThanOrEqual(0.05);
  });

  test("finds at least 95% of the fields in the documents", () => {
    const wanted = read.reduce((sum, { document }) => sum + Object.keys(document.truth).length, 0);
    const found = read.reduce(
      (sum, { document, fields }) =>
        sum + fields.filter((field) => isTrue(field, document.truth)).length,
      0,
    );
    expect(found / wanted, `seed ${seed}`).toBeGreaterThanOrEqual(0.95);
  });

  test("returns almost no wrong fields", () => {
    const judged = read.flatMap(({ document, fields }) =>
      fields
        .filter(({ key }) => document.truth[dates.has(key) ? "Date" : key] !== undefined)
        .map((field) => isTrue(field, document.truth)),
    );
    expect(judged.filter((ok) => !ok).length / judged.length, `seed ${seed}`).toBeLessThanOrEqual(
      0.03,
    );
  });

  test("returns only values that appear in the document", () => {
    for (const { document, fields } of read)
      for (const { value } of fields) expect(flat(document.view.text)).toContain(flat(value));
  });
});

describe("lists", () => {
  const row = fc.record({
    id: fc.integer({ min: 1000, max: 9999 }),
    name: fc.constantFrom("lamp", "rope", "anchor", "sail"),
    quantity: fc.integer({ min: 1, max: 99 }),
    cents: fc.integer({ min: 1, max: 999_999 }),
    day: fc.integer({ min: 1, max: 28 }),
  });

  test("computes correct sums and takes all other values from the table", () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 2, maxLength: 30 }),
        fc.boolean(),
        (entries, isGerman) => {
          const amount = (cents: number) =>
            (cents / 100).toFixed(2).replace(".", isGerman ? "," : ".");
          const rows = [
            isGerman
              ? ["Artikel-Nr.", "Datum", "Artikel", "Menge", "Betrag"]
              : ["Item ID", "Date", "Item", "Quantity", "Amount"],
            ...entries.map((entry) => [
              String(entry.id),
              `2026-10-${String(entry.day).padStart(2, "0")}`,
              entry.name,
              String(entry.quantity),
              amount(entry.cents),
            ]),
          ];
          const text = rows.map((cells) => cells.join("\t")).join("\n");
          const fields = extractFields({
            text,
            tables: [{ name: "", rows }],
            isTruncated: false,
            warnings: [],
          });
          const value = (key: string) => fields.find((field) => field.key === key)?.value;
          expect(value("Rows")).toBe(String(entries.length));
          const sum = (entries.reduce((total, { cents }) => total + cents, 0) / 100).toFixed(2);
          if (new Set(entries.map(({ cents }) => cents)).size > 1)
            expect(value(isGerman ? "Sum of Betrag" : "Sum of Amount")).toBe(sum);
          expect(
            fields.filter(({ isCounted }) => isCounted !== true).length,
          ).toBeGreaterThanOrEqual(5);
          for (const field of fields.filter(({ isCounted }) => isCounted !== true))
            expect(text).toContain(field.value);
        },
      ),
    );
  });

  test("handles a one-row table and an empty document", () => {
    expect(extractFields({ text: "", tables: [], isTruncated: false, warnings: [] })).toEqual([]);
    expect(
      extractFields({
        text: "a\tb",
        tables: [{ name: "", rows: [["a", "b"]] }],
        isTruncated: false,
        warnings: [],
      }),
    ).toEqual([]);
  });
});

test("reads any text in under two seconds of CPU and returns only its own words", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000, unit: "grapheme" }), (text) => {
      for (const { value } of extractFields({ text, tables: [], isTruncated: false, warnings: [] }))
        expect(flat(text.normalize("NFC"))).toContain(flat(value));
    }),
  );
  for (const text of [
    "1 ".repeat(30_000),
    "Invoice ".repeat(8_000),
    "a: b\n".repeat(8_000),
    `${"A".repeat(50_000)}`,
    "DE12 ".repeat(10_000),
  ])
    expect(
      threadCpuMs(() => extractFields({ text, tables: [], isTruncated: false, warnings: [] })),
    ).toBeLessThan(2_000);
});
