import type { FileCheck } from "@bron/core";
import { documentFormats, type FileContent, type FileFlaw, type FileReason } from "@bron/protocol";
import { isUtf8 } from "node:buffer";
import { claimedKind } from "./parser/claimed-kind.ts";
import { detectKind, isArchive } from "./parser/detect-kind.ts";
import { isFailure } from "./parser/failure.ts";
import { contentOf, imageFormat } from "./parser/image/image-size.ts";
import { defaultLimits } from "./limits.ts";
import type { DocumentKind } from "./parsed-document.ts";

const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const plain = new Set(["text/plain", "text/markdown"]);

/** Checks uploads by their declared type and by their content. */
export const documentFiles: FileCheck = {
  announced: ({ contentType }) =>
    kindOf(contentType)
      ? undefined
      : { code: "file_type_unsupported", contentType, supported: documentFormats },
  content({ contentType, bytes, isComplete }) {
    const announced = kindOf(contentType);
    if (!announced) return { code: "file_type_unsupported", contentType };
    // Only the end of an archive tells what it contains.
    if (isArchive(bytes) && !isComplete)
      return announced === "docx" || announced === "xlsx"
        ? undefined
        : differs(contentType, "office");
    const found = detect(contentType, bytes);
    if ("flaw" in found) return { code: "file_unreadable", contentType, flaw: found.flaw };
    if (!fits(announced, found.kind)) return differs(contentType, found.kind);
    if (found.kind === "image") return imageProblem(contentType, bytes);
    return isText(found.kind) && isComplete && !isReadableText(bytes)
      ? differs(contentType, "binary")
      : undefined;
  },
};

function kindOf(contentType: string): DocumentKind | undefined {
  const type = contentType.toLowerCase();
  if (plain.has(type)) return "text";
  const kind = claimedKind({ mediaType: type });
  return kind === "text" || (kind === "image" && !images.has(type)) ? undefined : kind;
}

function detect(
  contentType: string,
  bytes: Uint8Array,
): { kind: DocumentKind } | { flaw: FileFlaw } {
  try {
    return detectKind(bytes, {
      mediaType: contentType,
      maxUnpackedBytes: defaultLimits.maxUnpackedBytes,
    });
  } catch (error) {
    if (isFailure(error)) return { flaw: error.flaw };
    throw error;
  }
}

/** Every text format also counts as plain text. */
function fits(announced: DocumentKind, found: DocumentKind): boolean {
  return announced === found || (announced === "text" && isText(found));
}

function isText(kind: DocumentKind): boolean {
  return kind === "text" || kind === "csv" || kind === "html" || kind === "eml" || kind === "ics";
}

function imageProblem(contentType: string, bytes: Uint8Array): FileReason | undefined {
  const format = imageFormat(bytes);
  return format && `image/${contentOf(format)}` !== contentType.toLowerCase()
    ? differs(contentType, contentOf(format))
    : undefined;
}

/**
 * UTF-8 may contain control characters. In an old encoding every byte is a letter, so control
 * characters are the only sign of another file type. NUL never occurs in text.
 */
function isReadableText(bytes: Uint8Array): boolean {
  const encoding =
    bytes[0] === 0xff && bytes[1] === 0xfe
      ? "utf-16le"
      : bytes[0] === 0xfe && bytes[1] === 0xff
        ? "utf-16be"
        : undefined;
  if (encoding) return isUtf16(bytes, encoding);
  if (bytes.includes(0)) return false;
  return isUtf8(bytes) || !bytes.some((byte) => byte < 0x20 && !spaces.has(byte));
}

function isUtf16(bytes: Uint8Array, encoding: "utf-16le" | "utf-16be"): boolean {
  try {
    return !new TextDecoder(encoding, { fatal: true }).decode(bytes).includes("\0");
  } catch {
    return false;
  }
}

/** Tab, line breaks, page break, DOS end-of-file and escape. */
const spaces = new Set([0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x1a, 0x1b]);

function differs(contentType: string, content: FileContent): FileReason {
  return { code: "file_type_differs", contentType, content };
}
