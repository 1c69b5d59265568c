import mammoth from "mammoth";
import { failure } from "../failure.ts";
import { writeHtml } from "../html/read-html.ts";
import type { Output } from "../output.ts";
import { readZipDirectory } from "../zip-directory.ts";
import { findInWord } from "./word-findings.ts";

/** The link back from a footnote, which is not part of the text. */
const footnoteReturn = /<a href="#(?:footnote|endnote)-ref-[^"]*">\u2191<\/a>/g;

/**
 * Converts to HTML first, so that lists and tables are kept. Images are left out, and nothing
 * outside the file is accessed.
 */
export async function readDocx(bytes: Uint8Array, output: Output): Promise<void> {
  const { warnings, headers, footers } = findInWord(bytes, readZipDirectory(bytes));
  output.progress(0);
  const html = await convert(bytes);
  output.kind("docx");
  for (const warning of warnings) output.warn(warning);
  for (const header of headers) output.text(`${header}\n\n`);
  writeHtml(html.replace(footnoteReturn, ""), output, { hasTitle: false });
  for (const footer of footers) output.text(`\n\n${footer}`);
}

async function convert(bytes: Uint8Array): Promise<string> {
  const convertImage = mammoth.images.imgElement(async () => ({ src: "" }));
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
      { convertImage, externalFileAccess: false, includeEmbeddedStyleMap: false },
    );
    return value;
  } catch {
    throw failure({ code: "file_damaged", content: "docx" });
  }
}
