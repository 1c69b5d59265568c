import type { DocumentKind } from "../parsed-document.ts";
import { failure } from "./failure.ts";
import { readZipDirectory, type ZipEntry } from "./zip-directory.ts";

export interface Detected {
  readonly kind: DocumentKind;
  /** Said when the name or the media type claims something else. */
  readonly mismatch?: string;
}

interface Claims {
  readonly name?: string;
  readonly mediaType?: string;
  readonly maxUnpackedBytes: number;
}

const words: Readonly<Record<DocumentKind, string>> = { pdf: "a PDF", csv: "a CSV table", xlsx: "an XLSX workbook", text: "plain text" };

/** The content decides; only between kinds of text do the media type and then the name. Throws a failure for what is not read. */
export function detectKind(bytes: Uint8Array, claims: Claims): Detected {
  const claimed = claimedKind(claims);
  const kind = kindByContent(bytes, claims.maxUnpackedBytes) ?? (claimed === "csv" ? "csv" : "text");
  if (claimed === undefined || claimed === kind) return { kind };
  return { kind, mismatch: `It claims to be ${words[claimed]} (${[claims.name, claims.mediaType].filter(Boolean).join(", ")}), but its content is ${words[kind]}; it was read as that.` };
}

function kindByContent(bytes: Uint8Array, maxUnpackedBytes: number): DocumentKind | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 1024));
  if (start.includes("%PDF-")) return "pdf";
  if (startsWith(start, [0x50, 0x4b, 0x03, 0x04])) return kindOfArchive(readZipDirectory(bytes), maxUnpackedBytes);
  if (startsWith(start, [0xd0, 0xcf, 0x11, 0xe0])) throw oldOffice(bytes);
  const other = otherFormats.find(({ magic }) => startsWith(start, magic));
  if (other) throw failure("invalid_input", `It is ${other.word}, and only PDF, XLSX, CSV and plain text are read.`);
  const isUtf16 = startsWith(start, [0xff, 0xfe]) || startsWith(start, [0xfe, 0xff]);
  if (!isUtf16 && start.includes(0)) throw failure("invalid_input", "It is a binary file of an unknown kind, and only PDF, XLSX, CSV and plain text are read.");
  return undefined;
}

function kindOfArchive(entries: readonly ZipEntry[], maxUnpackedBytes: number): DocumentKind {
  const unpackedBytes = entries.reduce((sum, entry) => sum + entry.unpackedBytes, 0);
  const megabytes = (count: number) => Math.round(count / 1024 / 1024);
  if (unpackedBytes > maxUnpackedBytes) {
    throw failure("too_large", `The archive would unpack to ${megabytes(unpackedBytes)} MB, and ${megabytes(maxUnpackedBytes)} MB are the most. It was not unpacked.`);
  }
  if (entries.some(({ name }) => name === "xl/workbook.xml")) return "xlsx";
  const isWord = entries.some(({ name }) => name.startsWith("word/"));
  throw failure("invalid_input", `It is ${isWord ? "a Word document" : "an archive"}, and only PDF, XLSX, CSV and plain text are read.`);
}

function oldOffice(bytes: Uint8Array) {
  const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(Buffer.from("EncryptedPackage", "utf16le"));
  if (isEncrypted) return failure("invalid_input", "It is protected by a password and cannot be read. Ask for a copy without one.");
  return failure("invalid_input", "It is in an old Office format (.xls or .doc). Ask for it as XLSX or PDF.");
}

function claimedKind({ name, mediaType }: Claims): DocumentKind | undefined {
  const type = mediaType?.split(";")[0]?.trim().toLowerCase() ?? "";
  const ending = /\.([a-z0-9]+)$/i.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
  return kindByMediaType[type] ?? kindByEnding[ending] ?? (type.startsWith("text/") ? "text" : undefined);
}

const kindByMediaType: Readonly<Partial<Record<string, DocumentKind>>> = {
  "application/pdf": "pdf",
  "text/csv": "csv",
  "text/tab-separated-values": "csv",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "xlsx",
};

const kindByEnding: Readonly<Partial<Record<string, DocumentKind>>> = { pdf: "pdf", csv: "csv", tsv: "csv", xlsx: "xlsx", txt: "text", md: "text", log: "text" };

const otherFormats: readonly { readonly magic: readonly number[]; readonly word: string }[] = [
  { magic: [0x89, 0x50, 0x4e, 0x47], word: "an image (PNG)" },
  { magic: [0xff, 0xd8, 0xff], word: "an image (JPEG)" },
  { magic: [0x47, 0x49, 0x46, 0x38], word: "an image (GIF)" },
  { magic: [0x1f, 0x8b], word: "a compressed file (gzip)" },
  { magic: [0x37, 0x7a, 0xbc, 0xaf], word: "an archive (7z)" },
  { magic: [0x52, 0x61, 0x72, 0x21], word: "an archive (RAR)" },
  { magic: [0x7f, 0x45, 0x4c, 0x46], word: "a program" },
];

function startsWith(bytes: Uint8Array, magic: readonly number[]): boolean {
  return magic.every((byte, index) => bytes[index] === byte);
}
