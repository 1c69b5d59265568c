import type { ParseOrder } from "../frame.ts";
import { decodeText } from "./decode-text.ts";
import { detectKind } from "./detect-kind.ts";
import type { Output } from "./output.ts";
import { readCsv } from "./read-csv.ts";
import { readPdf } from "./read-pdf.ts";
import { readXlsx } from "./read-xlsx.ts";

/** Throws a failure in words for what cannot be read. */
export async function readDocument(bytes: Uint8Array<ArrayBuffer>, { limits, ...claims }: ParseOrder, output: Output): Promise<void> {
  const { kind, mismatch } = detectKind(bytes, { ...claims, maxUnpackedBytes: limits.maxUnpackedBytes });
  if (mismatch !== undefined) output.warn(mismatch);
  if (kind === "pdf") return await readPdf(bytes, limits.maxPages, output);
  if (kind === "xlsx") return await readXlsx(bytes, output);
  if (kind === "csv") return readCsv(bytes, output);
  output.kind("text");
  const { text, guess } = decodeText(bytes);
  if (guess !== undefined) output.warn(guess);
  output.text(text);
}
