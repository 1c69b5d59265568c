import type { ParseRequest } from "../frame.ts";
import { decodeText } from "./decode-text.ts";
import { detectKind } from "./detect-kind.ts";
import { createNesting, type Nesting } from "./mail/nesting.ts";
import type { Output } from "./output.ts";

/**
 * Throws a failure for an unreadable file. Loads each reader with its library on first use.
 * `nesting` is set for a file that was found inside another one.
 */
export async function readDocument(
  bytes: Uint8Array<ArrayBuffer>,
  request: ParseRequest,
  output: Output,
  nesting: Nesting = createNesting(),
): Promise<void> {
  const { limits, isPreview = false, ...claims } = request;
  const { kind, mismatch } = detectKind(bytes, {
    ...claims,
    maxUnpackedBytes: limits.maxUnpackedBytes,
  });
  if (mismatch !== undefined) output.warn(mismatch);
  if (isPreview && kind === "pdf")
    return await (await import("./read-pdf.ts")).readPdfLayout(bytes, limits.maxPages, output);
  if (isPreview && kind === "image")
    return (await import("./image/read-image-info.ts")).readImageInfo(bytes, output);
  switch (kind) {
    case "pdf":
      return await (await import("./read-pdf.ts")).readPdf(bytes, limits.maxPages, output);
    case "docx":
      return await (await import("./word/read-docx.ts")).readDocx(bytes, output);
    case "xlsx":
      return await (await import("./read-xlsx.ts")).readXlsx(bytes, output);
    case "csv":
      return (await import("./read-csv.ts")).readCsv(bytes, output);
    case "html":
      return (await import("./html/read-html.ts")).readHtml(bytes, claims.mediaType, output);
    case "ics":
      return (await import("./calendar/read-ics.ts")).readIcs(bytes, output);
    case "image":
      return await (await import("./image/read-image.ts")).readImage(bytes, output);
    case "eml": {
      const readInner = (
        inner: Uint8Array<ArrayBuffer>,
        innerClaims: { name: string; mediaType: string },
        deeper: Nesting,
      ) => readDocument(inner, { ...innerClaims, limits }, output, deeper);
      return await (
        await import("./mail/read-eml.ts")
      ).readEml(bytes, { output, nesting, readInner, isPreview });
    }
    case "text":
      return readText(bytes, output);
  }
}

function readText(bytes: Uint8Array, output: Output): void {
  output.kind("text");
  const { text, guess } = decodeText(bytes);
  if (guess !== undefined) output.warn(guess);
  output.text(text);
}
