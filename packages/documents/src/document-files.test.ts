import { describeProblem, type FileReason } from "@bron/protocol";
import { describe, expect, it } from "vitest";
import { documentFiles } from "./document-files.ts";
import { emlOf } from "./fixtures/mail-files.fixture.ts";
import { blankPng } from "./fixtures/image-files.fixture.ts";
import { pdfOf } from "./fixtures/pdf-files.fixture.ts";
import { docxOf, paragraph } from "./fixtures/word-files.fixture.ts";
import { plainArchive, xlsxBomb, xlsxOfRows } from "./fixtures/zip-files.fixture.ts";

const docx = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const content = (contentType: string, bytes: Uint8Array | string, isComplete = true) =>
  documentFiles.content({
    contentType,
    bytes: typeof bytes === "string" ? Buffer.from(bytes) : bytes,
    isComplete,
  });

const wordsOf = (why: FileReason | undefined) => describeProblem({ why });

const taken: readonly (readonly [string, () => Uint8Array | string | Promise<Uint8Array>])[] = [
  ["application/pdf", () => pdfOf([[{ text: "Total 5" }]])],
  [docx, () => docxOf(paragraph("Hello"))],
  [xlsx, () => xlsxOfRows("<row/>")],
  ["image/png", () => blankPng(8, 8)],
  ["text/csv", () => "a,b\n1,2\n"],
  ["text/html", () => "<p>hello"],
  ["text/calendar", () => "BEGIN:VCALENDAR\r\nEND:VCALENDAR"],
  [
    "message/rfc822",
    () => emlOf(["From: eva@a.example", "Subject: hi"], { type: "text/plain", content: "hello" }),
  ],
  ["text/plain", () => "Grüße\t\u0001 and more"],
  ["TEXT/Plain", () => "<!doctype html><p>text too"],
  ["text/plain", () => Buffer.from("\ufeffhallo", "utf16le")],
  ["text/plain", () => Buffer.from("Gr\xfc\xdfe", "latin1")],
  ["text/markdown", () => "# Title"],
];

const program = Buffer.concat([
  Buffer.from("MZ\x90\x00\x03\x00\x00\x00", "latin1"),
  Buffer.alloc(2_000, 7),
]);
const noise = Buffer.from(Array.from({ length: 200 }, (_, index) => ((index * 37) % 255) + 1));

const refused: readonly (readonly [
  string,
  () => Uint8Array | string | Promise<Uint8Array>,
  RegExp,
])[] = [
  [
    "text/plain",
    () => pdfOf([[{ text: "Total 5" }]]),
    /declared type is text\/plain, but the file is a PDF/,
  ],
  [
    "application/pdf",
    () => "only words",
    /declared type is application\/pdf, but the file is plain text/,
  ],
  ["application/pdf", () => program, /application\/pdf. It is a binary file of an unknown type/],
  ["application/pdf", () => Buffer.from("\x7fELF\x02\x01\x01", "latin1"), /It is a program/],
  ["text/plain", () => Buffer.from("\x7fELF\x02\x01\x01", "latin1"), /It is a program/],
  ["text/csv", () => program, /It is a binary file/],
  ["text/plain", () => noise, /binary file of an unknown type/],
  [
    "text/plain",
    () => Buffer.concat([Buffer.alloc(5_000, 0x61), Buffer.from([0])]),
    /binary file of an unknown type/,
  ],
  [
    "text/plain",
    () => Buffer.concat([Buffer.from([0xff, 0xfe]), program]),
    /binary file of an unknown type/,
  ],
  [
    "image/png",
    () => Buffer.from("\xff\xd8\xff\xe0 jpeg", "latin1"),
    /declared type is image\/png, but the file is an image \(JPEG\)/,
  ],
  [docx, () => plainArchive(), /It is an archive/],
  [docx, () => xlsxOfRows("<row/>"), /but the file is an XLSX workbook/],
  [xlsx, () => xlsxBomb(), /would unpack to 1024 MB/],
  [docx, () => Buffer.from("PK\x03\x04 cut off", "latin1"), /archive is damaged/],
  ["application/pdf", () => docxOf(paragraph("x")), /but the file is a Word document/],
  ["text/calendar", () => "only words", /but the file is plain text/],
  ["message/rfc822", () => "<html><body>x", /but the file is an HTML page/],
];

describe("accepted uploads", () => {
  it.for(taken)("BR9 accept %s", async ([type, make]) => {
    expect(documentFiles.announced({ contentType: type })).toBeUndefined();
    expect(content(type, await make())).toBeUndefined();
  });

  it.for(refused)(
    "BR9 reject a file declared as %s with other content, naming its type (%#)",
    async ([type, make, words]) => {
      expect(documentFiles.announced({ contentType: type })).toBeUndefined();
      expect(wordsOf(content(type, await make()))).toMatch(words);
    },
  );

  it.for([
    "application/octet-stream",
    "application/x-msdownload",
    "application/zip",
    "image/svg+xml",
    "image/tiff",
    "text/javascript",
    "text/x-python",
    "video/mp4",
    "application/json",
  ])("BR9 files of the type %s are not", (type) => {
    const announced = documentFiles.announced({ contentType: type });
    expect(announced).toMatchObject({ code: "file_type_unsupported", contentType: type });
    expect(wordsOf(announced)).toBe(
      `Files of type ${type} aren't supported. Supported types: PDF, DOCX, XLSX, CSV, HTML, EML, ICS, images and plain text.`,
    );
    expect(content(type, "x")).toEqual({ code: "file_type_unsupported", contentType: type });
  });

  it("BR9 are checked by their beginning where that is conclusive", async () => {
    const pdf = await pdfOf([[{ text: "Total 5" }]]);
    expect(content("application/pdf", pdf.subarray(0, 100), false)).toBeUndefined();
    expect(wordsOf(content("text/plain", pdf.subarray(0, 100), false))).toMatch(/a PDF/);
    expect(content(docx, docxOf(paragraph("x")).subarray(0, 60), false)).toBeUndefined();
    expect(wordsOf(content("text/plain", docxOf(paragraph("x")).subarray(0, 60), false))).toMatch(
      /an archive or an Office document/,
    );
  });
});
