import type { FileCheck } from "@bron/core";
import { isUtf8 } from "node:buffer";
import { claimedKind } from "./parser/claimed-kind.ts";
import { detectKind, isArchive } from "./parser/detect-kind.ts";
import { isFailure } from "./parser/failure.ts";
import { imageFormat } from "./parser/image/image-size.ts";
import { kindWords, readKinds } from "./parser/kind-words.ts";
import { defaultLimits } from "./limits.ts";
import type { DocumentKind } from "./parsed-document.ts";

const images = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);
const plain = new Set(["text/plain", "text/markdown"]);

/** Checks uploads by their declared type and by their content. */
export const documentFiles: FileCheck = {
  announced: ({ contentType }) =>
    kindOf(contentType)
      ? undefined
      : `Files of type ${contentType} aren't supported. Supported types: ${readKinds}.`,
  content({ contentType, bytes, isComplete }) {
    const announced = kindOf(contentType);
    if (!announced) return `Files of type ${contentType} aren't supported.`;
    // Only the end of an archive tells what it contains.
    if (isArchive(bytes) && !isComplete)
      return announced === "docx" || announced === "xlsx"
        ? undefined
        : differs(contentType, "an archive or an Office document");
    const found = detect(contentType, bytes);
    if ("problem" in found) return `The declared type is ${contentType}. ${found.problem}`;
    if (!fits(announced, found.kind)) return differs(contentType, kindWords[found.kind]);
    if (found.kind === "image") return imageProblem(contentType, bytes);
    return isText(found.kind) && isComplete && !isReadableText(bytes)
      ? differs(contentType, "a binary file of an unknown type")
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
): { kind: DocumentKind } | { problem: string } {
  try {
    return detectKind(bytes, {
      mediaType: contentType,
      maxUnpackedBytes: defaultLimits.maxUnpackedBytes,
    });
  } catch (error) {
    if (isFailure(error)) return { problem: error.message };
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

function imageProblem(contentType: string, bytes: Uint8Array): string | undefined {
  const format = imageFormat(bytes);
  return format && `image/${format.toLowerCase()}` !== contentType.toLowerCase()
    ? differs(contentType, `an image (${format})`)
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

function differs(contentType: string, found: string): string {
  return `The declared type is ${contentType}, but the file is ${found}.`;
}
