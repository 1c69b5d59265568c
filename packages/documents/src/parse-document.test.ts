import writeXlsxFile from "write-excel-file/node";
import { describe, expect, it } from "vitest";
import { encryptedPdf, pdfOf, scannedPdf } from "./fixtures/pdf-files.fixture.ts";
import { readInProcess } from "./fixtures/read-in-process.fixture.ts";
import { plainArchive, xlsxOfRows } from "./fixtures/zip-files.fixture.ts";
import { parseDocument } from "./parse-document.ts";

const MB = 1024 * 1024;
const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("a PDF", () => {
  it("returns its text by page, including white and tiny text", async () => {
    const bytes = await pdfOf([
      [{ text: "Invoice 4711" }, { text: "Total 12.50" }],
      [
        { text: "hidden", isWhite: true },
        { text: "small print", size: 0.5 },
      ],
    ]);
    const progress: unknown[] = [];
    const document = await parseDocument({
      bytes,
      name: "a.pdf",
      mediaType: "application/pdf",
      onProgress: (one) => progress.push(one),
    });
    expect(document).toMatchObject({ kind: "pdf", pageCount: 2, truncated: false, warnings: [] });
    expect(document.pages).toEqual([
      { number: 1, text: "Invoice 4711\nTotal 12.50" },
      { number: 2, text: "hidden\nsmall print" },
    ]);
    expect(document.text).toBe("Invoice 4711\nTotal 12.50\n\nhidden\nsmall print");
    expect(progress).toEqual([
      { done: 0, total: 2 },
      { done: 1, total: 2 },
      { done: 2, total: 2 },
    ]);
  });

  it("without text warns that it seems to be scanned", async () => {
    expect((await parseDocument({ bytes: scannedPdf() })).warnings).toEqual([
      expect.stringContaining("No text found. The file seems to be scanned"),
    ]);
  });

  it("with a password is rejected with a reason", async () => {
    await expect(
      parseDocument({ bytes: encryptedPdf(), name: "locked.pdf" }),
    ).rejects.toMatchObject({
      code: "invalid_input",
      message: expect.stringContaining("password-protected"),
    });
  });

  it("that is truncated or damaged is rejected with a reason", async () => {
    const bytes = await pdfOf([[{ text: "whole" }]]);
    for (const broken of [
      bytes.slice(0, bytes.length / 3),
      bytesOf("%PDF-1.7\nnothing of the kind"),
    ]) {
      await expect(parseDocument({ bytes: broken, name: "cut.pdf" })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining("damaged"),
      });
    }
  });

  it("with more pages than the limit is cut off with a warning", async () => {
    const bytes = await pdfOf(Array.from({ length: 4 }, (_, index) => [{ text: `page ${index}` }]));
    const document = await parseDocument({ bytes, limits: { maxPages: 2 } });
    expect(document).toMatchObject({
      truncated: true,
      pageCount: 4,
      warnings: [expect.stringContaining("first 2 of 4 pages")],
    });
    expect(document.pages).toHaveLength(2);
  });
});

describe("a workbook", () => {
  it("returns every sheet, with dates, booleans and numbers as displayed", async () => {
    const sheets = [
      {
        sheet: "Prices",
        data: [
          [{ value: "Item" }, { value: "Price" }],
          [{ value: "Bolt" }, { value: 0.1 + 0.2, type: Number }],
          [
            { value: new Date("2024-03-12"), type: Date, format: "dd.mm.yyyy" },
            { value: true, type: Boolean },
          ],
        ],
      },
      { sheet: "Zwei", data: [[{ value: "Größe" }]] },
    ];
    const bytes = await writeXlsxFile(sheets as Parameters<typeof writeXlsxFile>[0]).toBuffer();
    const document = await parseDocument({ bytes, name: "prices.xlsx" });
    expect(document).toMatchObject({ kind: "xlsx", truncated: false, warnings: [] });
    expect(document.tables).toEqual([
      {
        name: "Prices",
        rows: [
          ["Item", "Price"],
          ["Bolt", "0.3"],
          ["2024-03-12", "TRUE"],
        ],
      },
      { name: "Zwei", rows: [["Größe"]] },
    ]);
  });

  it("returns the stored value of a formula and computes nothing", async () => {
    const bytes = xlsxOfRows(
      '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>WEBSERVICE("http://a.example")</f><v>kept</v></c><c r="C1"><f>2+2</f></c><c r="D1"><v>9</v></c></row>',
    );
    expect((await readInProcess(bytes)).tables).toEqual([
      { name: "S", rows: [["2", "kept", "", "9"]] },
    ]);
  });

  it("with a stray cell in the last corner is read without the empty cells between", async () => {
    const bytes = xlsxOfRows(
      '<row r="1"><c r="A1"><v>1</v></c><c r="C1"><v>3</v></c></row><row r="2"><c r="B2"><v>2</v></c></row><row r="1048576"><c r="XFD1048576"><v>9</v></c></row>',
    );
    const { tables, warnings } = await readInProcess(bytes, { name: "stray.xlsx" });
    expect(tables).toEqual([
      {
        name: "S",
        rows: [
          ["1", "", "3", ""],
          ["", "2", "", ""],
          ["", "", "", "9"],
        ],
      },
    ]);
    expect(warnings).toEqual([expect.stringContaining("very far apart")]);
  });

  it("that is truncated is rejected with a reason", async () => {
    const bytes = xlsxOfRows('<row r="1"><c r="A1"><v>1</v></c></row>');
    await expect(
      parseDocument({ bytes: bytes.subarray(0, 300), name: "cut.xlsx" }),
    ).rejects.toMatchObject({ code: "invalid_input", message: expect.stringContaining("damaged") });
  });
});

describe("a CSV table", () => {
  it("may have semicolons, quotes, line breaks in cells, a byte order mark and CRLF", async () => {
    const text =
      '\ufeffName;Preis\r\n"Müller; Söhne";"1.234,50"\r\n"zwei\nZeilen";"sagt ""ja"""\r\n';
    const document = await readInProcess(text, { mediaType: "text/csv" });
    expect(document).toMatchObject({ kind: "csv", warnings: [] });
    expect(document.tables).toEqual([
      {
        name: "",
        rows: [
          ["Name", "Preis"],
          ["Müller; Söhne", "1.234,50"],
          ["zwei\nZeilen", 'sagt "ja"'],
        ],
      },
    ]);
  });

  it("with 100,000 rows is read in full when it fits", async () => {
    const bytes = bytesOf(
      Array.from({ length: 100_000 }, (_, index) => `${index},x,${index % 7}`).join("\n"),
    );
    const document = await parseDocument({ bytes, name: "long.csv" });
    expect(document.truncated).toBe(false);
    expect(document.tables[0]?.rows).toHaveLength(100_000);
    expect(document.tables[0]?.rows.at(-1)).toEqual(["99999", "x", "4"]);
  });

  it("that does not fit is cut off between rows with a warning", async () => {
    const bytes = bytesOf(Array.from({ length: 1_000 }, (_, index) => `${index},text`).join("\n"));
    const document = await parseDocument({ bytes, name: "a.csv", limits: { maxCharacters: 500 } });
    expect(document).toMatchObject({
      truncated: true,
      warnings: [expect.stringContaining("Truncated")],
    });
    expect(document.tables[0]?.rows.every((row) => row[1] === "text")).toBe(true);
  });

  it("in an old encoding is read with a warning", async () => {
    const document = await parseDocument({
      bytes: Buffer.from("Stra\xdfe,1\n", "latin1"),
      name: "a.csv",
    });
    expect(document.tables[0]?.rows).toEqual([["Straße", "1"]]);
    expect(document.warnings).toEqual([expect.stringContaining("Windows-1252")]);
  });
});

describe("the kind of a file", () => {
  it("follows its content, with a warning if the claim differs", async () => {
    const pdf = await pdfOf([[{ text: "really" }]]);
    const asText = await parseDocument({ bytes: pdf, name: "notes.txt", mediaType: "text/plain" });
    expect(asText).toMatchObject({
      kind: "pdf",
      text: "really",
      warnings: [
        "The file claims to be plain text (notes.txt, text/plain), but its content is a PDF. It was read as a PDF.",
      ],
    });
    const asPdf = await parseDocument({ bytes: bytesOf("only words"), name: "invoice.pdf" });
    expect(asPdf).toMatchObject({
      kind: "text",
      text: "only words",
      warnings: [expect.stringContaining("claims to be a PDF")],
    });
  });

  it("must be a supported one", async () => {
    const cases: readonly (readonly [Uint8Array, string])[] = [
      [
        plainArchive(),
        "an archive. Supported types: PDF, DOCX, XLSX, CSV, HTML, EML, ICS, images and plain text",
      ],
      [Buffer.from("II*\0", "latin1"), "an image (TIFF)"],
      [
        Buffer.concat([
          Buffer.from([0xd0, 0xcf, 0x11, 0xe0]),
          Buffer.from("EncryptedPackage", "utf16le"),
        ]),
        "password-protected",
      ],
      [Buffer.from([1, 0, 2, 0]), "a binary file of an unknown type"],
    ];
    for (const [bytes, word] of cases)
      await expect(parseDocument({ bytes })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(word),
      });
  });
});

describe("the size of a file (BR17)", () => {
  it("may be 20 MB, and the text is cut off at 2 million characters with a warning", async () => {
    const document = await parseDocument({
      bytes: Buffer.alloc(20 * MB, "lorem ipsum\n"),
      name: "a.txt",
    });
    expect(document).toMatchObject({
      kind: "text",
      truncated: true,
      warnings: [expect.stringContaining("first 2,000,000 characters")],
    });
    expect(document.text).toHaveLength(2_000_000);
  });

  it("may not be one byte more, and not zero", async () => {
    await expect(
      parseDocument({ bytes: Buffer.alloc(20 * MB + 1, "a"), name: "a.txt" }),
    ).rejects.toMatchObject({ code: "too_large" });
    await expect(parseDocument({ bytes: new Uint8Array(0), name: "a.txt" })).rejects.toMatchObject({
      code: "invalid_input",
      message: "a.txt is empty.",
    });
  });
});
