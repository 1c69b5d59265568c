import type { FileContent } from "@bron/protocol";
import type { DocumentKind } from "../parsed-document.ts";
import { claimedKind } from "./claimed-kind.ts";
import { failure } from "./failure.ts";
import { imageFormat } from "./image/image-size.ts";
import { kindWords } from "./kind-words.ts";
import { fitsClaim, textKindByContent } from "./text-kind.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

interface Detected {
  readonly kind: DocumentKind;
  /** A warning if the name or media type claims something else. */
  readonly mismatch?: string;
}

interface Claims {
  readonly name?: string;
  readonly mediaType?: string;
  readonly maxUnpackedBytes: number;
}

/** How many bytes are searched for a text format. The headers of an email may be this long. */
const startBytes = 8_192;
/** A PDF may start this late in the file. */
const pdfStartBytes = 1_024;

/**
 * Detects the kind by content. The media type and then the name decide only between kinds of text.
 * Throws a failure for unsupported files.
 */
export function detectKind(bytes: Uint8Array, claims: Claims): Detected {
  const claimed = claimedKind(claims);
  const kind = kindByContent(bytes, claims.maxUnpackedBytes) ?? kindOfText(bytes, claimed);
  if (claimed === undefined || claimed === kind) return { kind };
  return {
    kind,
    mismatch: `The file claims to be ${kindWords[claimed]} (${[claims.name, claims.mediaType].filter(Boolean).join(", ")}), but its content is ${kindWords[kind]}. It was read as ${kindWords[kind]}.`,
  };
}

function kindByContent(bytes: Uint8Array, maxUnpackedBytes: number): DocumentKind | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, startBytes));
  if (startsWith(start, [0x25, 0x50, 0x44, 0x46, 0x2d])) return "pdf";
  if (isArchive(start)) return kindOfArchive(readZipDirectory(bytes), maxUnpackedBytes);
  if (startsWith(start, [0xd0, 0xcf, 0x11, 0xe0])) throw oldOfficeFailure(bytes);
  if (imageFormat(bytes) !== undefined) return "image";
  const other = otherFormats.find(({ magic }) => startsWith(start, magic));
  if (other) throw failure({ code: "file_unsupported", content: other.content });
  const text = textKindByContent(startOf(bytes));
  if (text) return text;
  if (start.subarray(0, pdfStartBytes).includes("%PDF-")) return "pdf";
  if (!isUtf16(start) && start.subarray(0, pdfStartBytes).includes(0))
    throw failure({ code: "file_unsupported", content: "binary" });
  return undefined;
}

export function isArchive(bytes: Uint8Array): boolean {
  return startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]);
}

function kindOfText(bytes: Uint8Array, claimed: DocumentKind | undefined): DocumentKind {
  return claimed !== undefined && fitsClaim(claimed, startOf(bytes)) ? claimed : "text";
}

function startOf(bytes: Uint8Array): string {
  const start = bytes.subarray(0, startBytes);
  if (isUtf16(start))
    return new TextDecoder(start[0] === 0xff ? "utf-16le" : "utf-16be").decode(start);
  return new TextDecoder("latin1").decode(
    startsWith(start, [0xef, 0xbb, 0xbf]) ? start.subarray(3) : start,
  );
}

function isUtf16(start: Uint8Array): boolean {
  return startsWith(start, [0xff, 0xfe]) || startsWith(start, [0xfe, 0xff]);
}

function kindOfArchive(entries: readonly ZipEntry[], maxUnpackedBytes: number): DocumentKind {
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  if (unpackedBytes > maxUnpackedBytes)
    throw failure({ code: "archive_too_large", unpackedBytes, limitBytes: maxUnpackedBytes });
  if (entries.some(({ name }) => name === "xl/workbook.xml")) return "xlsx";
  if (entries.some(({ name }) => name.startsWith("word/"))) return "docx";
  throw failure({ code: "file_unsupported", content: "archive" });
}

function oldOfficeFailure(bytes: Uint8Array) {
  const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from("EncryptedPackage", "utf16le"),
  );
  return failure({ code: isEncrypted ? "file_locked" : "office_format_old" });
}

const otherFormats: readonly {
  readonly magic: readonly number[];
  readonly content: FileContent;
}[] = [
  { magic: [0x49, 0x49, 0x2a, 0x00], content: "tiff" },
  { magic: [0x4d, 0x4d, 0x00, 0x2a], content: "tiff" },
  { magic: [0x1f, 0x8b], content: "gzip" },
  { magic: [0x37, 0x7a, 0xbc, 0xaf], content: "7z" },
  { magic: [0x52, 0x61, 0x72, 0x21], content: "rar" },
  { magic: [0x7f, 0x45, 0x4c, 0x46], content: "program" },
];

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
