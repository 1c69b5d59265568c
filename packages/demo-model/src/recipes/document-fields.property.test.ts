import { threadCpuMs } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findFields, type Field } from "./document-fields.ts";
import { generatedDocument, type GeneratedDocument } from "./generated-document.fixture.ts";

const documents = 600;
const dates = new Set(["Date", "Invoice Date", "Order Date"]);
const read = (text: string, rows: readonly (readonly string[])[] = []) =>
  findFields({ text, tables: [rows], isTruncated: false, warnings: [] });

function isTrue({ key, value }: Field, truth: GeneratedDocument["truth"]): boolean {
  const wanted = truth[dates.has(key) ? "Date" : key];
  return wanted !== undefined && flat(value) === flat(wanted);
}

function flat(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

describe("unseen documents", () => {
  const seed = Date.now();
  const made = fc.sample(generatedDocument, { numRuns: documents, seed });
  const found = made.map((document) => ({ document, fields: findFields(document.view) }));

  test("yields five or more correct fields for at least 95% of invoices and orders", () => {
    const poor = found.filter(
      ({ document, fields }) => fields.filter((field) => isTrue(field, document.truth)).length < 5,
    );
    expect(
      poor.length / documents,
      `seed ${seed}: ${JSON.stringify(poor[0], undefined, 1)}`,
    ).toBeLessThanOrEqual(0.05);
  });

  test("finds at least 95% of the fields in the documents", () => {
    const wanted = found.reduce((sum, { document }) => sum + Object.keys(document.truth).length, 0);
    const right = found.reduce(
      (sum, { document, fields }) =>
        sum + fields.filter((field) => isTrue(field, document.truth)).length,
      0,
    );
    expect(right / wanted, `seed ${seed}`).toBeGreaterThanOrEqual(0.95);
  });

  test("returns almost no wrong fields", () => {
    const judged = found.flatMap(({ document, fields }) =>
      fields
        .filter(({ key }) => document.truth[dates.has(key) ? "Date" : key] !== undefined)
        .map((field) => isTrue(field, document.truth)),
    );
    expect(judged.filter((ok) => !ok).length / judged.length, `seed ${seed}`).toBeLessThanOrEqual(
      0.03,
    );
  });

  test("returns only values that appear in the document", () => {
    for (const { document, fields } of found)
      for (const { value } of fields) expect(flat(document.view.text)).toContain(flat(value));
  });
});

describe("tables", () => {
  const row = fc.record({
    id: fc.integer({ min: 1000, max: 9999 }),
    name: fc.constantFrom("lamp", "rope", "anchor", "sail"),
    quantity: fc.integer({ min: 1, max: 99 }),
    cents: fc.integer({ min: 1, max: 999_999 }),
  });

  test("takes at least five values from a table", () => {
    fc.assert(
      fc.property(
        fc.array(row, { minLength: 2, maxLength: 30 }),
        fc.boolean(),
        (items, isGerman) => {
          const rows = [
            isGerman
              ? ["Artikel-Nr.", "Artikel", "Menge", "Betrag"]
              : ["Item ID", "Item", "Quantity", "Amount"],
            ...items.map(({ id, name, quantity, cents }) => [
              String(id),
              name,
              String(quantity),
              (cents / 100).toFixed(2).replace(".", isGerman ? "," : "."),
            ]),
          ];
          const text = rows.map((cells) => cells.join("\t")).join("\n");
          const fields = read(text, rows);
          expect(fields.length).toBeGreaterThanOrEqual(5);
          for (const { value } of fields) expect(text).toContain(value);
        },
      ),
    );
  });

  test("finds nothing in an empty document or a table without headings", () => {
    expect(read("")).toEqual([]);
    expect(read("", [["a", "b"]])).toEqual([]);
  });
});

test("reads any text in under two seconds of CPU and returns only its own words", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 2_000, unit: "grapheme" }), (text) => {
      for (const { value } of read(text)) expect(flat(text)).toContain(flat(value));
    }),
  );
  for (const text of [
    "1 ".repeat(30_000),
    "Invoice ".repeat(8_000),
    "Total\n".repeat(8_000),
    "a: b\n".repeat(8_000),
    "A".repeat(50_000),
    "DE12 ".repeat(10_000),
    "Total    ".repeat(8_000),
  ])
    expect(
      threadCpuMs(() => read(text)),
      text.slice(0, 20),
    ).toBeLessThan(2_000);
});
