import { z } from "zod";
import { formatBytes } from "./format-bytes.ts";

/** What a file is by its content. `office` is an archive or an Office document. */
export const fileContents = [
  "pdf",
  "docx",
  "xlsx",
  "csv",
  "html",
  "eml",
  "ics",
  "image",
  "text",
  "png",
  "jpeg",
  "gif",
  "webp",
  "tiff",
  "gzip",
  "7z",
  "rar",
  "program",
  "archive",
  "office",
  "binary",
] as const;
export type FileContent = (typeof fileContents)[number];

const fileContentWords: Readonly<Record<FileContent, string>> = {
  pdf: "a PDF",
  docx: "a Word document",
  xlsx: "an XLSX workbook",
  csv: "a CSV table",
  html: "an HTML page",
  eml: "an email",
  ics: "a calendar",
  image: "an image",
  text: "plain text",
  png: "an image (PNG)",
  jpeg: "an image (JPEG)",
  gif: "an image (GIF)",
  webp: "an image (WEBP)",
  tiff: "an image (TIFF)",
  gzip: "a compressed file (gzip)",
  "7z": "an archive (7z)",
  rar: "an archive (RAR)",
  program: "a program",
  archive: "an archive",
  office: "an archive or an Office document",
  binary: "a binary file of an unknown type",
};

/** "a PDF", "an image (PNG)". */
export function describeFileContent(content: FileContent): string {
  return fileContentWords[content];
}

const formatNames: Readonly<Partial<Record<FileContent, string>>> = {
  pdf: "PDF",
  docx: "DOCX",
  xlsx: "XLSX",
  csv: "CSV",
  html: "HTML",
  eml: "EML",
  ics: "ICS",
  image: "images",
  text: "plain text",
};

/** "PDF, DOCX and plain text". */
export function describeFormats(contents: readonly FileContent[]): string {
  const names = contents.map((content) => formatNames[content] ?? content);
  return names.length < 2
    ? names.join("")
    : `${names.slice(0, -1).join(", ")} and ${names.at(-1) ?? ""}`;
}

/** What document tools read. */
export const documentFormats = [
  "pdf",
  "docx",
  "xlsx",
  "csv",
  "html",
  "eml",
  "ics",
  "image",
  "text",
] as const satisfies readonly FileContent[];

/**
 * Why the content of a file cannot be read.
 *
 * - `file_damaged`: it is damaged or incomplete.
 * - `ocr_missing`: the optional packages that recognize text in images are not installed.
 * - `archive_crowded`: it contains too many files to be a document.
 * - `parser_failed`: `detail` is the name of an error.
 */
export const fileFlawSchema = z.discriminatedUnion("code", [
  z.object({
    code: z.literal("file_damaged"),
    content: z.enum(["archive", "image", "docx", "pdf", "xlsx"]),
  }),
  z.object({ code: z.literal("file_locked") }),
  z.object({ code: z.literal("file_unsupported"), content: z.enum(fileContents) }),
  z.object({ code: z.literal("office_format_old") }),
  z.object({ code: z.literal("calendar_cut_off") }),
  z.object({ code: z.literal("email_too_complex") }),
  z.object({ code: z.literal("image_unusual") }),
  z.object({
    code: z.literal("image_too_large"),
    width: z.number(),
    height: z.number(),
    maxPixels: z.number(),
  }),
  z.object({ code: z.literal("ocr_missing"), content: z.enum(fileContents) }),
  z.object({ code: z.literal("archive_crowded") }),
  z.object({
    code: z.literal("archive_too_large"),
    unpackedBytes: z.number(),
    limitBytes: z.number(),
  }),
  z.object({ code: z.literal("parser_failed"), detail: z.string().max(200).optional() }),
]);
export type FileFlaw = Readonly<z.infer<typeof fileFlawSchema>>;

type FlawWords = {
  readonly [K in FileFlaw["code"]]: (flaw: Extract<FileFlaw, { code: K }>) => string;
};

const megabytes = (bytes: number) => `${Math.round(bytes / 1024 / 1024)} MB`;

const damagedWords = {
  archive: "archive",
  image: "image",
  docx: "Word document",
  pdf: "PDF",
  xlsx: "workbook",
} as const;

const flawWords: FlawWords = {
  file_damaged: ({ content }) =>
    `The ${damagedWords[content]} is damaged or incomplete. Ask for the file again.`,
  file_locked: () => "It is password-protected. Ask for a copy without a password.",
  file_unsupported: ({ content }) =>
    `It is ${fileContentWords[content]}. Supported types: ${describeFormats(documentFormats)}.`,
  office_format_old: () =>
    "It is in an old Office format (.xls, .doc or .msg). Ask for it as XLSX, DOCX, EML or PDF.",
  calendar_cut_off: () =>
    "The calendar is damaged or incomplete: it ends before the first entry. Ask for the file again.",
  email_too_complex: () =>
    "The email can't be read: its header is too long, or its parts are nested too deeply.",
  image_unusual: () => "The image is damaged or has an unusual format. Ask for it as PNG or JPEG.",
  image_too_large: ({ width, height, maxPixels }) =>
    `The image is ${width} by ${height} pixels (the limit is ${maxPixels.toLocaleString("en")} pixels in total). Ask for a smaller one.`,
  ocr_missing: ({ content }) =>
    `It is ${fileContentWords[content]}, and text recognition is not installed. To install it, run: npm install tesseract.js @tesseract.js-data/eng`,
  archive_crowded: () => "The archive contains too many files to be a document.",
  archive_too_large: ({ unpackedBytes, limitBytes }) =>
    `The archive would unpack to ${megabytes(unpackedBytes)} (the limit is ${megabytes(limitBytes)}), so it was not unpacked.`,
  parser_failed: ({ detail }) =>
    detail === undefined ? "The parser failed." : `The parser failed (${detail}).`,
};

/** The sentence for a flaw. */
export function describeFlaw(flaw: FileFlaw): string {
  return (flawWords[flaw.code] as (value: FileFlaw) => string)(flaw);
}

const of = { document: z.string().optional() };

/**
 * Why a tool could not read a document. `document` is its name.
 *
 * - `document_stalled`: the parser made no progress. `document_slow`: it did not finish.
 */
export const documentFailureSchemas = [
  z.object({ code: z.literal("document_missing"), digest: z.string() }),
  z.object({ code: z.literal("document_empty"), ...of }),
  z.object({ code: z.literal("document_too_large"), limitBytes: z.number(), ...of }),
  z.object({ code: z.literal("document_unreadable"), flaw: fileFlawSchema, ...of }),
  z.object({ code: z.literal("document_needs_memory"), limitBytes: z.number(), ...of }),
  z.object({ code: z.literal("document_stalled"), seconds: z.number(), ...of }),
  z.object({ code: z.literal("document_slow"), seconds: z.number(), ...of }),
  z.object({ code: z.literal("parser_crashed"), ...of }),
  z.object({ code: z.literal("parser_not_started") }),
] as const;
type DocumentFailure = z.infer<(typeof documentFailureSchemas)[number]>;

/** A sentence for each reason. */
type DocumentFailureWords = {
  readonly [K in DocumentFailure["code"]]: (why: Extract<DocumentFailure, { code: K }>) => string;
};

const unnamed = "The document";

export const documentFailureWords: DocumentFailureWords = {
  document_missing: ({ digest }) =>
    `Artifact ${digest} not found. Use a digest from a tool of this run.`,
  document_empty: ({ document = unnamed }) => `${document} is empty.`,
  document_too_large: ({ document = unnamed, limitBytes }) =>
    `${document} is too large. The limit is ${formatBytes(limitBytes)}.`,
  document_unreadable: ({ document = unnamed, flaw }) =>
    `Couldn't read ${document}. ${describeFlaw(flaw)}`,
  document_needs_memory: ({ document = unnamed, limitBytes }) =>
    `${document} needs more than ${megabytes(limitBytes)} of memory to open, so Bron stopped reading it.`,
  document_stalled: ({ document = unnamed, seconds }) =>
    `Reading ${document} took too long: no progress for ${seconds}s. Bron stopped reading it.`,
  document_slow: ({ document = unnamed, seconds }) =>
    `Reading ${document} took too long: not finished after ${seconds}s. Bron stopped reading it.`,
  parser_crashed: ({ document = unnamed }) => `Couldn't read ${document}: the parser crashed.`,
  parser_not_started: () => "Couldn't start the document parser.",
};
