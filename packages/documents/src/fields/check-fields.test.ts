import { isFullSuite, sampleCount } from "@bron/testing";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ParsedDocument } from "../parsed-document.ts";
import { maxBusyMs, watchChildren } from "../fixtures/watch-children.fixture.ts";
import { checkValues } from "./check-fields.ts";

const empty: ParsedDocument = {
  kind: "text",
  pages: [],
  tables: [],
  text: "",
  truncated: false,
  warnings: [],
};
const textOf = (text: string): ParsedDocument => ({ ...empty, text });
const check = async (document: ParsedDocument, value: string) =>
  (await checkValues(document, [value]))[0];

const found: readonly (readonly [string, string, "exact" | "normalised"])[] = [
  ["Invoice No. INV-0042 of today", "INV-0042", "exact"],
  ["Invoice No. INV-0042", "0042", "exact"],
  ["Total: 1.234,56 EUR", "1.234,56", "exact"],
  ["Total: 1.234,56 EUR", "1,234.56", "normalised"],
  ["Total: 1.234,56 EUR", "EUR 1234.56", "normalised"],
  ["Total: 1.234,56 EUR", "€1,234.56", "normalised"],
  ["Total: $1,234.50", "1234.5 USD", "normalised"],
  ["Total: 1 234,50", "1234.50", "normalised"],
  ["Total: 1\u202f234,50 €", "1234.5", "normalised"],
  ["Total: CHF 1'234.50", "1234.50", "normalised"],
  ["Saldo -12,00", "-12.00", "normalised"],
  ["Saldo (12.00)", "-12", "normalised"],
  ["Rate 19 %", "19%", "normalised"],
  ["ACME   GmbH\n& Co. KG", "Acme GmbH & Co. KG", "normalised"],
  ["the ﬁnal oﬀer", "final offer", "normalised"],
  ["O’Neill – Sons", "O'Neill - Sons", "normalised"],
  ["due on 12.03.2024.", "2024-03-12", "normalised"],
  ["due on March 12th, 2024", "12/03/2024", "normalised"],
  ["fällig am 12. März 2024", "2024-03-12", "normalised"],
  ["2024-03-12", "12 Mar 2024", "normalised"],
  ["write to eva@a.example.", "eva@a.example", "exact"],
];

const missing: readonly (readonly [string, string])[] = [
  ["Total: 1500", "500"],
  ["Total: 1,234.56", "234.56"],
  ["Total: 1,234.56", "1,234"],
  ["Total: 1.234,56", "1.234,57"],
  ["Balance -500.00", "500.00"],
  ["Total: $50", "EUR 50"],
  ["Rate 19 %", "19 EUR"],
  ["No. 0042", "42"],
  ["on 12.03.2024", "2024-03-13"],
  ["on 31.12.2024", "12.2024"],
  ["not-eva@a.example", "eva@a.example"],
  ["eva@a.example.org", "eva@a.example"],
  ["overtotal", "total"],
  ["12\n34", "1234"],
];

describe("a value in the document", () => {
  it.for(found)("in %j, %j is found", async ([text, value, match]) => {
    expect(await check(textOf(text), value)).toEqual({ match, place: "line 1" });
  });

  it("is found with its place: page, sheet row or line", async () => {
    const pdf: ParsedDocument = {
      ...empty,
      kind: "pdf",
      pages: [
        { number: 1, text: "first" },
        { number: 2, text: "then\n12,50" },
      ],
    };
    const table: ParsedDocument = {
      ...empty,
      kind: "xlsx",
      tables: [
        { name: "One", rows: [["a"]] },
        { name: "Two", rows: [["b"], ["Total", "12.5"]] },
      ],
    };
    expect(await check(pdf, "12.50")).toEqual({ match: "normalised", place: "page 2" });
    expect(await check(table, "12.5")).toEqual({ match: "exact", place: "Two, row 2" });
    expect(await check(textOf("a\nb\nTotal 9"), "9")).toEqual({ match: "exact", place: "line 3" });
  });

  it("is found in a table before its line, and in attachments of a mail", async () => {
    const word: ParsedDocument = {
      ...empty,
      kind: "docx",
      text: "Offer\nBolt\t1.50\nvalid until May",
      tables: [{ name: "table 1", rows: [["Bolt", "1.50"]] }],
    };
    const pdf: ParsedDocument = {
      ...empty,
      kind: "pdf",
      pages: [{ number: 3, text: "Total 99.10" }],
    };
    const inner: ParsedDocument = {
      ...empty,
      kind: "eml",
      text: "older words",
      attachments: [{ name: "offer.docx", mediaType: "", byteCount: 1, document: word }],
    };
    const mail: ParsedDocument = {
      ...empty,
      kind: "eml",
      text: "Subject: hi\n\nsee below",
      attachments: [
        { name: "invoice.pdf", mediaType: "", byteCount: 1, document: pdf },
        { name: "c.zip", mediaType: "", byteCount: 1, problem: "not read" },
        { name: "mail 3", mediaType: "", byteCount: 1, document: inner },
      ],
    };
    expect(await checkValues(word, ["1.50", "May"])).toEqual([
      { match: "exact", place: "table 1, row 1" },
      { match: "exact", place: "line 3" },
    ]);
    expect(await checkValues(mail, ["see below", "99,10", "1.50", "older", "zip"])).toEqual([
      { match: "exact", place: "line 3" },
      { match: "normalised", place: "attachment invoice.pdf, page 3" },
      { match: "exact", place: "attachment mail 3, attachment offer.docx, table 1, row 1" },
      { match: "exact", place: "attachment mail 3, line 1" },
      undefined,
    ]);
  });

  it("is reported as exact if there is an exact match", async () => {
    expect(await check(textOf("1.234,50\n1,234.50"), "1,234.50")).toEqual({
      match: "exact",
      place: "line 2",
    });
  });

  const words = fc.array(fc.stringMatching(/^[\p{L}\d][\p{L}\d.,@€-]{0,11}$/u), {
    minLength: 3,
    maxLength: 40,
  });

  it("is found wherever it was taken from, verbatim and in other notation", async () => {
    const property = fc.asyncProperty(
      words,
      fc.nat(),
      fc.integer({ min: 1, max: 4 }),
      async (all, seed, count) => {
        const lines = Array.from({ length: Math.ceil(all.length / 5) }, (_, index) =>
          all.slice(index * 5, index * 5 + 5).join(" "),
        );
        const from = seed % all.length;
        const value = all.slice(from, from + count).join(" ");
        const isInLine =
          Math.floor(from / 5) === Math.floor((Math.min(from + count, all.length) - 1) / 5);
        const document = textOf(lines.join("\n"));
        expect((await check(document, value))?.match).toMatch(
          isInLine ? /^exact$/ : /^(?:exact|normalised)$/,
        );
        expect(await check(document, value.toLowerCase().replaceAll(" ", "  "))).toBeDefined();
      },
    );
    await fc.assert(property, { seed: 20_260_801, numRuns: sampleCount(200) });
  });

  it("is found in any notation of its amount", async () => {
    const dateFormats = [
      (whole: string, cents: string) => `${whole.replace(/\B(?=(\d{3})+$)/g, ",")}.${cents}`,
      (whole: string, cents: string) => `${whole.replace(/\B(?=(\d{3})+$)/g, ".")},${cents}`,
      (whole: string, cents: string) => `${whole.replace(/\B(?=(\d{3})+$)/g, "'")}.${cents}`,
      (whole: string, cents: string) => `${whole.replace(/\B(?=(\d{3})+$)/g, "\u00a0")},${cents} €`,
      (whole: string, cents: string) => `EUR ${whole}.${cents}`,
    ];
    const amount = fc.tuple(
      fc.integer({ min: 0, max: 99_999_999 }),
      fc.integer({ min: 0, max: 99 }),
      fc.constantFrom(...dateFormats),
      fc.constantFrom(...dateFormats),
    );
    await fc.assert(
      fc.asyncProperty(amount, async ([whole, cents, one, other]) => {
        const [a, b] = [String(whole), String(cents).padStart(2, "0")];
        expect(await check(textOf(`Sum: ${one(a, b)} net`), other(a, b))).toBeDefined();
      }),
      { seed: 20_260_801, numRuns: sampleCount(300) },
    );
  });
});

describe("a value that is not in the document", () => {
  it.for(missing)("in %j, %j is not found", async ([text, value]) => {
    expect(await check(textOf(text), value)).toBeUndefined();
  });

  it("is not found in a row that shares only parts of it", async () => {
    const table: ParsedDocument = {
      ...empty,
      kind: "csv",
      tables: [{ name: "", rows: [["100", "200"], ["Total"], ["7"]] }],
    };
    expect(await checkValues(table, ["100200", "Total 7"])).toEqual([undefined, undefined]);
  });

  it("is never found: other amounts", async () => {
    const cents = fc.integer({ min: 1, max: 99_999_999 });
    const write = (amount: number) =>
      (amount / 100).toLocaleString("de", { minimumFractionDigits: 2 });
    await fc.assert(
      fc.asyncProperty(fc.array(cents, { maxLength: 30 }), cents, async (amounts, other) => {
        // The same digits may mean a thousand times as much in another country.
        fc.pre(amounts.every((amount) => amount !== other));
        const text = amounts.map((amount) => `Position ${write(amount)} EUR`).join("\n");
        expect(await check(textOf(text), `${(other / 100).toFixed(2)} EUR`)).toBeUndefined();
      }),
      { seed: 20_260_801, numRuns: sampleCount(300) },
    );
  });

  it("is never found: other words, dates and pieces of words", async () => {
    const word = fc.stringMatching(/^[a-m]{4,10}$/);
    const property = fc.asyncProperty(
      fc.array(word, { minLength: 1, maxLength: 40 }),
      fc.stringMatching(/^[n-z]{1,10}$/),
      fc.date({ min: new Date("2001-01-01"), max: new Date("2090-01-01"), noInvalidDate: true }),
      async (all, other, date) => {
        const day = date.toISOString().slice(0, 10);
        const next = new Date(date.getTime() + 86_400_000).toISOString().slice(0, 10);
        const piece = all[0]!.slice(1);
        const document = textOf(`${all.join(" ")}: ${next.split("-").reverse().join(".")}`);
        const [noWord, noDate, noPiece] = await checkValues(document, [
          other,
          day,
          all.includes(piece) ? other : piece,
        ]);
        expect([noWord, noPiece]).toEqual([undefined, undefined]);
        // Day and month may be swapped.
        if (Number(day.slice(8)) > 12 && Number(next.slice(8)) > 12) expect(noDate).toBeUndefined();
      },
    );
    await fc.assert(property, { seed: 20_260_801, numRuns: sampleCount(300) });
  });
});

describe("a long document", () => {
  const length = isFullSuite ? 1_000_000 : 250_000;
  const units = ["1''", "1.", "1 111 ", "a", "1-1-", "\n", "x 12.50 12.03.2024 march "];

  it.for(units)("made of %j is searched to its end without blocking other work", async (unit) => {
    const document = textOf(`${unit.repeat(length / unit.length)} Total 4.711,00`);
    const { result, longestBusyMs } = await watchChildren(() =>
      checkValues(document, ["4711.00", "a@b.example", "2024-01-01"]),
    );
    expect(result).toEqual({
      status: "fulfilled",
      value: [
        { match: "normalised", place: expect.stringMatching(/^line \d+$/) },
        undefined,
        undefined,
      ],
    });
    expect(longestBusyMs).toBeLessThan(maxBusyMs);
  });

  it("does not report parts of values where a line is split", async () => {
    const [ones, twos] = ["1".repeat(30_000), "2".repeat(30_000)];
    const values = ["11", "2222", "22"];
    // Search around the places where a line without spaces is split, because one side of a piece is
    // then a real edge.
    for (const tear of [7_900, 10_000]) {
      for (let at = tear - 6; at <= tear + 6; at++) {
        expect(
          await checkValues(textOf(`${ones.slice(0, at)};${twos}`), values),
          `at ${at}`,
        ).toEqual([undefined, undefined, undefined]);
      }
    }
    expect(await check(textOf(`${ones};4711;${twos}`), "4711")).toBeDefined();
  });
});
