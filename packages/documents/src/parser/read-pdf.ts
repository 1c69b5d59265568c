import { getDocumentProxy } from "unpdf";
import { failure, isFailure } from "./failure.ts";
import type { Output } from "./output.ts";

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

export async function readPdf(bytes: Uint8Array, maxPages: number, output: Output): Promise<void> {
  const pdf = await open(bytes);
  output.kind("pdf", pdf.numPages);
  output.progress(0, pdf.numPages);
  const last = Math.min(pdf.numPages, maxPages);
  let characters = 0;
  let hasRoom = true;
  for (let number = 1; number <= last && hasRoom; number++) {
    const text = await readPage(pdf, number, output);
    characters += text.trim().length;
    hasRoom = output.page(number, text);
    output.progress(number, pdf.numPages);
  }
  if (hasRoom && last < pdf.numPages)
    output.cut(`Truncated: only the first ${maxPages} of ${pdf.numPages} pages were read.`);
  if (characters === 0)
    output.warn(
      "No text found. The file seems to be scanned, and images in a PDF are not read. Save each page as PNG or JPEG to read it.",
    );
}

async function open(bytes: Uint8Array): Promise<Pdf> {
  try {
    return await getDocumentProxy(bytes, {
      verbosity: 0,
      disableFontFace: true,
      useSystemFonts: false,
      useWorkerFetch: false,
      enableXfa: false,
    });
  } catch (error) {
    if (isFailure(error)) throw error;
    const name = error instanceof Error ? error.name : "";
    if (name === "PasswordException") throw failure({ code: "file_locked" });
    throw failure({ code: "file_damaged", content: "pdf" });
  }
}

/** Skips an unreadable page with a warning, so that the other pages are still read. */
async function readPage(pdf: Pdf, number: number, output: Output): Promise<string> {
  try {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    page.cleanup();
    return items
      .map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : ""))
      .join("");
  } catch {
    output.warn(`Page ${number} is damaged and could not be read.`);
    return "";
  }
}
