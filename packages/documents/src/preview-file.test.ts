import { describe, expect, it } from "vitest";
import { blankPng, pngBomb } from "./fixtures/image-files.fixture.ts";
import { encryptedPdf, pdfOf } from "./fixtures/pdf-files.fixture.ts";
import { xlsxOfRows } from "./fixtures/zip-files.fixture.ts";
import { previewFile } from "./preview-file.ts";

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe("the preview of a file", () => {
  it("has the texts of a PDF's first pages at their places", async () => {
    const pages = ["One", "Two", "Three", "Four"].map((text) => [{ text }]);
    const preview = await previewFile({ bytes: await pdfOf(pages), name: "a.pdf" });
    expect(preview).toMatchObject({ kind: "pages", pageCount: 4, isCut: true });
    const shown = preview.kind === "pages" ? preview.pages : [];
    expect(shown.map(({ texts }) => texts.map(({ text }) => text))).toEqual([
      ["One"],
      ["Two"],
      ["Three"],
    ]);
    // The text stands near the top of the page, and inside it.
    const { texts = [], width = 0, height = 0 } = shown[0] ?? {};
    expect(texts[0]).toMatchObject({ size: expect.any(Number), width: expect.any(Number) });
    expect(texts[0]?.y).toBeLessThan(height / 2);
    expect(texts[0]?.x).toBeLessThan(width);
  });

  it("has the verified type and size of an image, whatever it claims to be", async () => {
    expect(
      await previewFile({ bytes: blankPng(640, 480), name: "a.svg", mediaType: "image/svg+xml" }),
    ).toEqual({ kind: "image", mediaType: "image/png", width: 640, height: 480 });
  });

  it("of an image with too many pixels says so", async () => {
    expect(await previewFile({ bytes: pngBomb() })).toEqual({
      kind: "none",
      reason: "too_large",
    });
  });

  it("shows SVG and HTML as text, never as an image", async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
    const preview = await previewFile({
      bytes: bytesOf(svg),
      name: "a.png",
      mediaType: "image/png",
    });
    expect(preview.kind).toBe("text");
  });

  it("has the first rows of a table", async () => {
    const rows = Array.from({ length: 500 }, (_, index) => `${index},a`).join("\n");
    const preview = await previewFile({ bytes: bytesOf(`n,x\n${rows}`), name: "a.csv" });
    expect(preview).toMatchObject({ kind: "tables", isCut: true });
    expect(preview.kind === "tables" && preview.tables[0]?.rows.length).toBe(200);
    expect(preview.kind === "tables" && preview.tables[0]?.rows[0]).toEqual(["n", "x"]);
  });

  it("has the sheets of a workbook", async () => {
    const row = '<row r="1"><c r="A1"><v>7</v></c></row>';
    expect(await previewFile({ bytes: xlsxOfRows(row), name: "a.xlsx" })).toMatchObject({
      kind: "tables",
      tables: [{ rows: [["7"]] }],
      isCut: false,
    });
  });

  it("has the header, the text and the attachments of an email", async () => {
    const mail = [
      "From: Mara <mara@example.com>",
      "To: you@example.com",
      "Subject: Offer",
      'Content-Type: multipart/mixed; boundary="b"',
      "",
      "--b",
      "Content-Type: text/plain",
      "",
      "Here it is.",
      "--b",
      'Content-Type: text/csv; name="a.csv"',
      'Content-Disposition: attachment; filename="a.csv"',
      "",
      "a,b",
      "--b--",
    ].join("\r\n");
    expect(await previewFile({ bytes: bytesOf(mail), name: "a.eml" })).toMatchObject({
      kind: "mail",
      head: [
        { name: "From", value: "Mara <mara@example.com>" },
        { name: "To", value: "you@example.com" },
        { name: "Subject", value: "Offer" },
      ],
      text: "Here it is.",
      attachments: [{ name: "a.csv" }],
    });
  });

  it("of a file that cannot be read has the reason", async () => {
    expect(await previewFile({ bytes: encryptedPdf() })).toEqual({
      kind: "none",
      reason: "locked",
    });
    expect(await previewFile({ bytes: bytesOf("%PDF-1.7\nno objects") })).toEqual({
      kind: "none",
      reason: "damaged",
    });
    expect(await previewFile({ bytes: bytesOf("\x7fELF\0\0\0\0") })).toEqual({
      kind: "none",
      reason: "unsupported",
    });
  });

  it("says that a long text was cut", async () => {
    const preview = await previewFile({ bytes: bytesOf("a ".repeat(100_000)), name: "a.txt" });
    expect(preview).toMatchObject({ kind: "text", isCut: true });
    expect(preview.kind === "text" && preview.text.length).toBe(60_000);
  });
});
